// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The legacy 8259s, masked for good, and the I/O APICs, of which the hypervisor uses single ISA
 * lines. Start of day only.
 */
#include <asm/acpi.h>
#include <asm/apic.h>
#include <asm/io.h>
#include <asm/paging.h>
#include <asm/vectors.h>
#include <tine/errno.h>
#include <tine/lib.h>

#define PIC1_COMMAND 0x20
#define PIC1_DATA 0x21
#define PIC2_COMMAND 0xa0
#define PIC2_DATA 0xa1

#define IOAPIC_SELECT 0x00
#define IOAPIC_WINDOW 0x10
#define IOAPIC_VERSION 1
#define IOAPIC_REDIRECTION(line) (0x10 + 2 * (line))

/* Moved off the exceptions' vectors first: a masked 8259 can still deliver a spurious interrupt. */
void pic_disable(void)
{
	outb(PIC1_COMMAND, 0x11);
	outb(PIC2_COMMAND, 0x11);
	outb(PIC1_DATA, VECTOR_PIC);
	outb(PIC2_DATA, VECTOR_PIC + 8);
	outb(PIC1_DATA, 4);
	outb(PIC2_DATA, 2);
	outb(PIC1_DATA, 1);
	outb(PIC2_DATA, 1);
	outb(PIC1_DATA, 0xff);
	outb(PIC2_DATA, 0xff);
}

static u32 ioapic_read(volatile char *io, u32 reg)
{
	mmio_write32(io + IOAPIC_SELECT, reg);
	return mmio_read32(io + IOAPIC_WINDOW);
}

static void ioapic_write(volatile char *io, u32 reg, u32 v)
{
	mmio_write32(io + IOAPIC_SELECT, reg);
	mmio_write32(io + IOAPIC_WINDOW, v);
}

int ioapic_route_isa(unsigned int irq, u8 vector)
{
	for (unsigned int i = 0; i < x86_acpi.nr_ioapics; i++) {
		const struct acpi_ioapic *a = &x86_acpi.ioapics[i];
		volatile char *io;
		u32 lines, line = irq - a->gsi_base;

		if (irq < a->gsi_base)
			continue;
		io = x86_map_device(a->address, 0x20);
		if (!io)
			continue;
		lines = ((ioapic_read(io, IOAPIC_VERSION) >> 16) & 0xff) + 1;
		if (line >= lines)
			continue;
		ioapic_write(io, IOAPIC_REDIRECTION(line) + 1, apic_id() << 24);
		ioapic_write(io, IOAPIC_REDIRECTION(line), vector);
		return 0;
	}
	return -ENODEV;
}
