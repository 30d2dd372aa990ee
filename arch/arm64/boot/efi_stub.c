// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Started by UEFI (UEFI 2.10), as GRUB's xen_hypervisor does: finds the device tree, which GRUB has completed by modules and command line, copies the image
 * to where the Image protocol wants it, ends boot services, and enters it as a loader would.
 *
 * This runs where UEFI put the file, at an address that it is not linked for, on UEFI's page tables and stack: addresses of symbols are made relative to
 * the program counter, and no pointer may come from initialised data. Nothing of the hypervisor's own is set up.
 */
#include <asm/cache.h>
#include <asm/efi.h>
#include <asm/platform.h>
#include <asm/setup.h>
#include <tine/calendar.h>
#include <tine/lib.h>
#include <tine/string.h>

#define EFI_SUCCESS 0UL
#define EFI_ERROR_UNSUPPORTED 0x8000000000000003UL
#define EFI_ANY_PAGES 0
#define EFI_LOADER_DATA 2
#define IMAGE_ALIGN MiB(2)
#define EL2 (2 << 2)

typedef u64 efi_status;

struct efi_text_output {
	void *reset;
	efi_status (*output_string)(struct efi_text_output *self, const u16 *text);
};

/* Places between the functions that are used are for those that are not. */
struct efi_boot_services {
	u8 header[24];
	void *unused_1[2];
	efi_status (*allocate_pages)(u32 type, u32 memory_type, u64 pages, u64 *address);
	void *unused_2;
	efi_status (*get_memory_map)(u64 *size, void *map, u64 *key, u64 *descriptor_size,
				     u32 *version);
	void *unused_3[21];
	efi_status (*exit_boot_services)(void *handle, u64 key);
};

struct efi_time {
	u16 year;
	u8 month, day, hour, minute, second, pad_1;
	u32 nanosecond;
	s16 time_zone; /* minutes that UTC is ahead of it, or EFI_NO_TIME_ZONE */
	u8 daylight, pad_2;
};
#define EFI_NO_TIME_ZONE 0x7ff

struct efi_runtime_services {
	u8 header[24];
	efi_status (*get_time)(struct efi_time *time, void *capabilities);
};

struct efi_table {
	u8 guid[16];
	const void *table;
};

struct efi_system_table {
	u8 header[24];
	void *vendor;
	u32 revision;
	void *unused_1[3];
	struct efi_text_output *output;
	void *unused_2[2];
	struct efi_runtime_services *runtime;
	struct efi_boot_services *boot;
	u64 nr_tables;
	const struct efi_table *tables;
};
_Static_assert(offsetof(struct efi_boot_services, exit_boot_services) == 232, "UEFI 2.10, 4.4");
_Static_assert(offsetof(struct efi_system_table, tables) == 112, "UEFI 2.10, 4.3");

struct arm64_efi_map arm64_efi_map __section(".data"); /* not bss: see the header */

extern const char data_end[];                            /* image.lds.S */
void efi_jump(void *image, const void *tree) __noreturn; /* efi_jump.S */
efi_status efi_entry(void *handle, struct efi_system_table *st);

/* As the Image header says it. */
static size_t image_size(void)
{
	return ROUND_UP((size_t)(image_end - image_start), IMAGE_ALIGN);
}

static void say(struct efi_system_table *st, const char *text)
{
	u16 wide[128];
	unsigned int n = 0;

	while (text[n] && n < ARRAY_SIZE(wide) - 3) {
		wide[n] = (u8)text[n];
		n++;
	}
	wide[n++] = '\r';
	wide[n++] = '\n';
	wide[n] = 0;
	(void)st->output->output_string(st->output, wide);
}

static const void *find_device_tree(const struct efi_system_table *st)
{
	static const u8 guid[16] = { 0xd5, 0x21, 0xb6, 0xb1, 0x9c, 0xf1, 0xa5, 0x41,
				     0x83, 0x0b, 0xd9, 0x15, 0x2c, 0x69, 0xaa, 0xe0 };

	for (u64 i = 0; i < st->nr_tables; i++)
		if (!memcmp(st->tables[i].guid, guid, sizeof(guid)))
			return st->tables[i].table;
	return NULL;
}

/* SIZE bytes, the first at a multiple of ALIGN; NULL. */
static void *allocate(struct efi_system_table *st, size_t size, size_t align)
{
	u64 address;

	if (st->boot->allocate_pages(EFI_ANY_PAGES, EFI_LOADER_DATA, (size + align) / PAGE_SIZE,
				     &address) != EFI_SUCCESS)
		return NULL;
	return (void *)ROUND_UP(address, align);
}

static u64 seconds_since_1970(struct efi_system_table *st)
{
	struct efi_time t;
	struct calendar date;
	u64 seconds;

	if (st->runtime->get_time(&t, NULL) != EFI_SUCCESS)
		return 0;
	date = (struct calendar){ t.year, t.month, t.day, t.hour, t.minute, t.second };
	if (!calendar_is_sane(&date))
		return 0;
	seconds = calendar_seconds_since_1970(&date);
	return t.time_zone == EFI_NO_TIME_ZONE ? seconds : seconds + (u64)(t.time_zone * 60L);
}

/* The map may have changed since it was read: then its key is refused, and it is read once more. */
static efi_status end_boot_services(void *handle, struct efi_system_table *st,
				    struct arm64_efi_map *map)
{
	efi_status status = EFI_SUCCESS;

	for (unsigned int attempt = 0; attempt < 4; attempt++) {
		u64 key;
		u32 version;

		map->size = EFI_MAP_MAX;
		status = st->boot->get_memory_map(&map->size, (void *)map->address, &key,
						  &map->descriptor_size, &version);
		if (status == EFI_SUCCESS)
			status = st->boot->exit_boot_services(handle, key);
		if (status == EFI_SUCCESS)
			break;
	}
	return status;
}

/* What is read or run with caches off, and what was written. */
static void clean_all(void *copy, const void *tree)
{
	dcache_clean_invalidate(copy, image_size());
	dcache_clean_invalidate(tree, arm64_device_tree_size(tree));
	dcache_clean_invalidate(image_start, (size_t)(data_end - image_start));
}

efi_status efi_entry(void *handle, struct efi_system_table *st)
{
	const void *tree = find_device_tree(st);
	struct arm64_efi_map *map;
	char *copy;

	if (read_sysreg(CurrentEL) != EL2) {
		say(st, "Tine must be started at EL2, and was not");
		return EFI_ERROR_UNSUPPORTED;
	}
	if (!tree || !arm64_device_tree_size(tree)) {
		say(st, "Tine: the firmware has no device tree, and ACPI is not enough. On QEMU: "
			"-machine virt,acpi=off");
		return EFI_ERROR_UNSUPPORTED;
	}
	copy = allocate(st, image_size(), IMAGE_ALIGN);
	if (!copy) {
		say(st, "Tine: the firmware has no memory for the image");
		return EFI_ERROR_UNSUPPORTED;
	}
	memcpy(copy, image_start, (size_t)(data_end - image_start));
	map = (void *)(copy + ((char *)&arm64_efi_map - image_start));
	map->seconds = seconds_since_1970(st);
	map->address = (u64)allocate(st, EFI_MAP_MAX, PAGE_SIZE);
	if (!map->address || end_boot_services(handle, st, map) != EFI_SUCCESS) {
		say(st, "Tine: the firmware does not let go");
		return EFI_ERROR_UNSUPPORTED;
	}
	clean_all(copy, tree);
	efi_jump(copy, tree);
}
