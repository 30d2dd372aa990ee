// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The screen in the 80x25 text mode that a PC's BIOS leaves (console=vga). Callers hold printk's
 * lock.
 */
#include <asm/io.h>
#include <asm/memory.h>
#include <asm/paging.h>
#include <asm/uart.h>
#include <tine/boot_info.h>
#include <tine/printk.h>

#define VGA_PADDR 0xb8000
#define COLUMNS 80
#define ROWS 25
#define BLANK 0x0720 /* a space, light grey on black */

static volatile u16 *screen;
static unsigned int row, column;

static void clear_row(unsigned int r)
{
	for (unsigned int i = 0; i < COLUMNS; i++)
		screen[r * COLUMNS + i] = BLANK;
}

static void new_line(void)
{
	column = 0;
	if (++row < ROWS)
		return;
	row = ROWS - 1;
	for (unsigned int i = 0; i < COLUMNS * (ROWS - 1); i++)
		screen[i] = screen[i + COLUMNS];
	clear_row(row);
}

static void vga_write(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n') {
			new_line();
			continue;
		}
		if (column == COLUMNS)
			new_line();
		screen[row * COLUMNS + column++] = (u16)(0x0700 | (u8)text[i]);
	}
}

static struct console_sink vga_sink = { .write = vga_write };

void x86_vga_init(void)
{
	if (screen)
		return;
	if (boot_info.efi) {
		pr_warn("console=vga: there is no text mode on UEFI");
		return;
	}
	screen = paddr_to_virt(_paddr(VGA_PADDR));
	for (unsigned int r = 0; r < ROWS; r++)
		clear_row(r);
	printk_register(&vga_sink);
}

void x86_vga_remap(void)
{
	if (screen)
		screen = x86_map_device(_paddr(VGA_PADDR), COLUMNS * ROWS * sizeof(*screen));
}
