// SPDX-License-Identifier: GPL-2.0-or-later
/* The wall clock: the CMOS real-time clock, taken as UTC, read once at start of day. */
#include <asm/clock.h>
#include <asm/io.h>
#include <tine/lib.h>
#include <tine/calendar.h>
#include <tine/printk.h>
#include <tine/string.h>
#include <tine/time.h>

#define CMOS_INDEX 0x70
#define CMOS_DATA 0x71
#define CMOS_STATUS_A 0x0a
#define CMOS_UPDATING 0x80
#define CMOS_STATUS_B 0x0b
#define CMOS_24_HOURS 0x02
#define CMOS_BINARY 0x04
#define HOUR_PM 0x80
#define MAX_POLLS 10000

enum field { SECOND, MINUTE, HOUR, DAY, MONTH, YEAR, FIELDS };

static u64 boot_seconds;
static u32 boot_nanoseconds;

static u8 cmos(u8 reg)
{
	outb(CMOS_INDEX, reg);
	return inb(CMOS_DATA);
}

static void read_fields(u8 out[FIELDS])
{
	static const u8 regs[FIELDS] = { 0, 2, 4, 7, 8, 9 };

	for (unsigned int i = 0; i < MAX_POLLS && (cmos(CMOS_STATUS_A) & CMOS_UPDATING); i++)
		;
	for (unsigned int i = 0; i < FIELDS; i++)
		out[i] = cmos(regs[i]);
}

static unsigned int decode(u8 value, u8 status)
{
	return status & CMOS_BINARY ? value : (value >> 4) * 10U + (value & 0xf);
}

static unsigned int decode_hour(u8 value, u8 status)
{
	unsigned int hour = decode(value & (u8)~HOUR_PM, status);

	if (status & CMOS_24_HOURS)
		return decode(value, status);
	return hour % 12 + (value & HOUR_PM ? 12 : 0);
}

void x86_wallclock_init(void)
{
	u8 raw[FIELDS], again[FIELDS], status = cmos(CMOS_STATUS_B);
	unsigned int v[FIELDS];
	struct calendar date;
	u64 since_boot, now;

	read_fields(again);
	for (unsigned int i = 0; i < 10; i++) { /* until two readings agree */
		memcpy(raw, again, sizeof(raw));
		read_fields(again);
		if (!memcmp(raw, again, sizeof(raw)))
			break;
	}
	for (unsigned int i = 0; i < FIELDS; i++)
		v[i] = i == HOUR ? decode_hour(raw[i], status) : decode(raw[i], status);
	date = (struct calendar){ 2000 + v[YEAR], v[MONTH], v[DAY], v[HOUR], v[MINUTE], v[SECOND] };
	if (!calendar_is_sane(&date)) {
		pr_warn("The CMOS clock makes no sense: the time of day starts at 1970");
		return;
	}
	now = calendar_seconds_since_1970(&date);
	since_boot = (u64)system_time();
	boot_seconds = now - since_boot / NSEC_PER_SEC - 1;
	boot_nanoseconds = (u32)(NSEC_PER_SEC - since_boot % NSEC_PER_SEC);
	if (boot_nanoseconds == NSEC_PER_SEC) {
		boot_nanoseconds = 0;
		boot_seconds++;
	}
	pr_info("Wall clock: %u-%02u-%02u %02u:%02u:%02u UTC", 2000 + v[YEAR], v[MONTH], v[DAY],
		v[HOUR], v[MINUTE], v[SECOND]);
}

void wallclock_at_boot(u64 *sec, u32 *nsec)
{
	*sec = boot_seconds;
	*nsec = boot_nanoseconds;
}
