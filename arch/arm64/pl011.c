// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The serial console: an Arm PL011 (DDI 0183), or the part of one that an SBSA UART is, as the device tree's stdout-path says. Output is polled, input
 * comes by interrupt. Speed and format stay as firmware set them: where nothing did, nobody knows the clock either.
 */
#include <asm/gic.h>
#include <asm/io.h>
#include <asm/paging.h>
#include <asm/pl011.h>
#include <asm/platform.h>
#include <tine/arch.h>
#include <tine/console.h>
#include <tine/lib.h>
#include <tine/printk.h>

#define UART_DR 0x00
#define UART_FR 0x18
#define UART_LCR_H 0x2c
#define UART_CR 0x30
#define UART_IMSC 0x38
#define UART_ICR 0x44
#define UART_PERIPHERAL_ID 0xfe0
#define UART_LENGTH 0x1000

#define FR_RECEIVE_EMPTY 0x10
#define FR_TRANSMIT_FULL 0x20
#define LCR_FIFO_8BIT 0x70
#define CR_ENABLE_BOTH 0x301
#define INT_RECEIVED 0x50 /* a character, or some that nothing followed */

#define MAX_POLLS 1000000 /* then the transmitter is taken for dead */
#define MAX_INPUT 64
#define VIRT_UART 0x09000000UL /* where QEMU's `virt` has it */

static struct {
	volatile void *regs;
	bool set_up, dead;
} uart;

static bool wait_room(void)
{
	for (unsigned int i = 0; i < MAX_POLLS; i++)
		if (!(read32(uart.regs, UART_FR) & FR_TRANSMIT_FULL))
			return true;
	uart.dead = true;
	return false;
}

static void put(char c)
{
	if (!uart.dead && wait_room())
		write32(uart.regs, UART_DR, (u8)c);
}

static void uart_write(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n')
			put('\r');
		put(text[i]);
	}
}

static struct console_sink uart_sink = { .write = uart_write };

static void set_up(paddr_t base, bool sbsa)
{
	uart.set_up = true;
	uart.regs = arm64_map_device(base, UART_LENGTH);
	if (!uart.regs)
		return;
	write32(uart.regs, UART_IMSC, 0);
	if (!sbsa) {
		if (!read32(uart.regs, UART_LCR_H))
			write32(uart.regs, UART_LCR_H, LCR_FIFO_8BIT);
		write32(uart.regs, UART_CR, read32(uart.regs, UART_CR) | CR_ENABLE_BOTH);
	}
	printk_register(&uart_sink);
}

void pl011_init(void)
{
	if (!uart.set_up && arm64_platform.uart.size)
		set_up(arm64_platform.uart.start, arm64_platform.uart_sbsa);
}

/*
 * A panic before the device tree was understood: it would end without a word. Here, and nowhere else, a machine is guessed: where QEMU's `virt` has its
 * PL011, and the part number is read back before anything is written. On other machines this may fault, which changes nothing for the worse.
 */
void pl011_last_resort(void)
{
	volatile void *regs;

	if (uart.set_up)
		return;
	if (arm64_platform.uart.size) {
		pl011_init();
		return;
	}
	uart.set_up = true;
	regs = arm64_map_device(_paddr(VIRT_UART), UART_LENGTH);
	if (regs && (read32(regs, UART_PERIPHERAL_ID) & 0xff) == 0x11 &&
	    (read32(regs, UART_PERIPHERAL_ID + 4) & 0xff) == 0x10)
		set_up(_paddr(VIRT_UART), false);
}

/*
 * The interrupt is asked for until the FIFO is empty, and ends by that (DDI 0183, 3.4). It must not be cleared here: a byte that comes before the clearing, and
 * what is left when there are many, would wait for the next one.
 */
static bool received(u32 intid)
{
	for (unsigned int i = 0; i < MAX_INPUT; i++) {
		if (read32(uart.regs, UART_FR) & FR_RECEIVE_EMPTY)
			break;
		console_input((char)read32(uart.regs, UART_DR));
	}
	return true;
}

void pl011_start_input(void)
{
	if (!uart.regs || uart.dead)
		return;
	if (!arm64_platform.uart_irq) {
		pr_warn("The device tree names no interrupt of the console: it takes no input");
		return;
	}
	gic_handle(arm64_platform.uart_irq, received);
	write32(uart.regs, UART_ICR, INT_RECEIVED);
	write32(uart.regs, UART_IMSC, INT_RECEIVED);
	gic_enable(arm64_platform.uart_irq, true);
}
