// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The serial console: a 16550 at com1. Output is polled, and trusts the FIFO: once the transmitter
 * is empty sixteen bytes go out without looking. Input comes by interrupt through the I/O APIC, or
 * where there is none by a timer that looks.
 *
 * com1=BAUD[/CLOCK][,FORMAT[,PORT]] as on Xen, e.g. com1=115200,8n1,0x3f8; BAUD `auto` keeps what
 * firmware set.
 */
#include <asm/apic.h>
#include <asm/io.h>
#include <asm/irqflags.h>
#include <asm/uart.h>
#include <asm/vectors.h>
#include <tine/cmdline.h>
#include <tine/console.h>
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/string.h>
#include <tine/time.h>

#define UART_DATA 0 /* divisor low with DLAB */
#define UART_IER 1  /* divisor high with DLAB */
#define UART_FCR 2
#define UART_LCR 3
#define UART_MCR 4
#define UART_LSR 5

#define IER_RECEIVED 0x01
#define FCR_ENABLE_CLEAR 0x07
#define LCR_DLAB 0x80
#define MCR_DTR_RTS_OUT2 0x0b
#define LSR_READY 0x01
#define LSR_EMPTY 0x20
#define LSR_ABSENT 0xff

#define FIFO_SIZE 16
#define COM1_IRQ 4
#define MAX_POLLS 1000000               /* then the transmitter is taken for dead */
#define INPUT_POLL (20 * NSEC_PER_MSEC) /* where no interrupt says that there is some */
#define INPUT_REST (1 * NSEC_PER_MSEC)
#define DEFAULT_CLOCK 1843200U

struct uart {
	u16 port;
	unsigned int baud, clock; /* baud 0: left as it is */
	u8 format;                /* LCR's low bits */
	bool ready, dead;
};
static struct uart com1 = { .port = 0x3f8, .baud = 115200, .clock = DEFAULT_CLOCK, .format = 3 };

static int parse_format(struct uart *uart, const char **text)
{
	const char *t = *text;
	static const char parities[] = "noems";
	static const u8 parity_bits[] = { 0x00, 0x08, 0x18, 0x28, 0x38 };
	const char *parity;

	if (t[0] < '5' || t[0] > '8' || t[1] == '\0')
		return -EINVAL;
	parity = strchr(parities, t[1]);
	if (!parity || (t[2] != '1' && t[2] != '2'))
		return -EINVAL;
	uart->format = (u8)((t[0] - '5') | parity_bits[parity - parities] | (t[2] == '2' ? 4 : 0));
	*text = t + 3;
	return 0;
}

static int parse_baud(struct uart *uart, const char **text)
{
	unsigned long value;

	if (!strncmp(*text, "auto", 4)) {
		uart->baud = 0;
		*text += 4;
		return 0;
	}
	if (str_to_ulong(text, 10, &value) || value > DEFAULT_CLOCK)
		return -EINVAL;
	uart->baud = (unsigned int)value;
	if (**text != '/')
		return 0;
	++*text;
	if (str_to_ulong(text, 10, &value) || value < uart->baud || value > (1U << 30))
		return -EINVAL;
	uart->clock = (unsigned int)value;
	return 0;
}

static int parse_com1(const char *value)
{
	struct uart uart = com1;
	unsigned long port;

	if (*value != ',' && parse_baud(&uart, &value))
		return -EINVAL;
	if (*value == ',' && *++value != ',' && parse_format(&uart, &value))
		return -EINVAL;
	if (*value == ',') {
		value++;
		if (str_to_ulong(&value, 0, &port) || port < 8 || port > 0xfff8)
			return -EINVAL;
		uart.port = (u16)port;
	}
	if (*value)
		return -EINVAL;
	com1 = uart;
	return 0;
}
CMDLINE_CUSTOM_OPTION("com1", com1, parse_com1);

static bool wait_empty(void)
{
	for (unsigned int i = 0; i < MAX_POLLS; i++)
		if (inb(com1.port + UART_LSR) & LSR_EMPTY)
			return true;
	com1.dead = true; /* e.g. flow control gone wrong: do not slow everything else down */
	return false;
}

static void put(char c, unsigned int *room)
{
	if (*room == 0) {
		if (com1.dead || !wait_empty())
			return;
		*room = FIFO_SIZE;
	}
	outb(com1.port + UART_DATA, (u8)c);
	--*room;
}

static void uart_write(const char *text, size_t len)
{
	unsigned int room = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n')
			put('\r', &room);
		put(text[i], &room);
	}
}

static struct console_sink uart_sink = { .write = uart_write };

void x86_uart_init(void)
{
	unsigned int divisor = com1.baud ? com1.clock / 16 / com1.baud : 0;

	if (com1.ready)
		return;
	com1.ready = true;
	outb(com1.port + UART_IER, 0);
	outb(com1.port + UART_LCR, com1.format | (divisor ? LCR_DLAB : 0));
	if (divisor) {
		outb(com1.port + UART_DATA, (u8)divisor);
		outb(com1.port + UART_IER, (u8)(divisor >> 8));
		outb(com1.port + UART_LCR, com1.format);
	}
	outb(com1.port + UART_FCR, FCR_ENABLE_CLEAR);
	outb(com1.port + UART_MCR, MCR_DTR_RTS_OUT2);
	com1.dead = inb(com1.port + UART_LSR) == LSR_ABSENT;
	printk_register(&uart_sink);
}

static struct timer input_timer;
static stime_t input_rest; /* until somebody looks again; 0: until the next interrupt */

/*
 * True when there may be more: a line that never falls silent must not keep the CPU, and what nobody has room for yet waits where the other end
 * sees it.
 */
static bool take_input(void)
{
	for (unsigned int i = 0; i < 4 * FIFO_SIZE && console_input_room(); i++) {
		if (!(inb(com1.port + UART_LSR) & LSR_READY))
			return false;
		console_input((char)inb(com1.port + UART_DATA));
	}
	return true;
}

/* What is left makes no second edge, so no second interrupt: the timer comes for it. */
void x86_serial_interrupt(void)
{
	if (take_input())
		timer_set(&input_timer, system_time() + INPUT_REST);
}

static void poll_input(void *arg)
{
	unsigned long flags = local_irq_save();
	stime_t rest = take_input() ? INPUT_REST : input_rest;

	local_irq_restore(flags);
	if (rest)
		timer_set(&input_timer, system_time() + rest);
}

void x86_uart_start_input(void)
{
	if (!com1.ready || com1.dead)
		return;
	timer_init(&input_timer, poll_input, NULL, smp_processor_id());
	if (ioapic_route_isa(COM1_IRQ, VECTOR_SERIAL)) {
		pr_warn("No I/O APIC serves com1: its input is polled");
		input_rest = INPUT_POLL;
		timer_set(&input_timer, system_time() + INPUT_POLL);
		return;
	}
	outb(com1.port + UART_IER, IER_RECEIVED);
}
