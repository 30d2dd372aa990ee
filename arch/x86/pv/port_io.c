// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ports of a PV guest. Whether it may use one is decided by its virtual I/O privilege, or by a bitmap in its
 * kernel's memory, which is looked at for each access (a clear bit opens a port, as in a TSS). What it gets
 * there is nothing: reads give all ones, writes vanish.
 */
#include "port_io.h"
#include <asm/msr.h>
#include <xen/physdev.h>

#define PORTS 65536U
#define PORT_PIT_CHANNEL2 0x42 /* must not count for ever, ABI notes 5.8 */
#define PORT_SYSTEM_CONTROL 0x61
#define SYSTEM_CONTROL_OUT2 0x20 /* "the timer has run out" */

/* ---- Permission ---- */

/* The kernel is in ring 3, but counts as ring 1; with IOPL as on a CPU as ring 0. */
bool pv_has_iopl(const struct vcpu *v)
{
	bool architectural = v->domain->vm_assist & BIT(VMASST_TYPE_architectural_iopl);
	unsigned int kernel_ring = architectural ? 0 : 1;

	return v->arch.pv.iopl >= (v->arch.pv.kernel_mode ? kernel_ring : 3);
}

/* From the kernel's memory, whichever page tables are loaded; both are held by the vCPU. */
static int read_kernel_memory(struct vcpu *v, void *to, gva_t from, size_t n)
{
	int rc;

	if (v->arch.pv.kernel_mode)
		return copy_from_guest(to, from, n);
	x86_write_cr3(mfn_x(v->arch.pv.kernel_table) << PAGE_SHIFT);
	rc = copy_from_guest(to, from, n);
	pv_load_tables(v);
	return rc;
}

static bool bitmap_opens(struct vcpu *v, unsigned int port, unsigned int size)
{
	u8 bytes[2] = { 0xff, 0xff };
	unsigned int first = port / 8, last = (port + size - 1) / 8;
	u32 wanted = ((1U << size) - 1) << port % 8;

	if (port + size > v->arch.pv.io_bitmap_ports)
		return false;
	if (read_kernel_memory(v, bytes, gva_add(v->arch.pv.io_bitmap, first), last - first + 1))
		return false;
	return !((bytes[0] | (u32)bytes[1] << 8) & wanted);
}

long pv_set_io_bitmap(struct vcpu *v, gva_t arg)
{
	struct physdev_set_iobitmap set;

	if (copy_from_guest(&set, arg, sizeof(set)))
		return -EFAULT;
	if (set.nr_ports > PORTS)
		return -EINVAL;
	v->arch.pv.io_bitmap = _gva((unsigned long)set.bitmap.p);
	v->arch.pv.io_bitmap_ports = set.nr_ports;
	return 0;
}

/* ---- Accesses ---- */

/* No device answers, but two ports must not make a guest wait for ever. */
static u32 port_read(u16 port)
{
	switch (port) {
	case PORT_PIT_CHANNEL2:
		return 0;
	case PORT_SYSTEM_CONTROL:
		return SYSTEM_CONTROL_OUT2;
	default:
		return 0xffffffff;
	}
}

static void port_in(struct cpu_regs *regs, u16 port, unsigned int size)
{
	u32 value = port_read(port);

	if (size == 1)
		regs->rax = (regs->rax & ~0xffUL) | (value & 0xff);
	else if (size == 2)
		regs->rax = (regs->rax & ~0xffffUL) | (value & 0xffff);
	else
		regs->rax = value;
}

/*
 * INS and OUTS: one element a time. With a count left the instruction pointer stays where it is and
 * the guest faults again, so a count of any size never keeps the hypervisor.
 */
static enum port_result port_string(struct cpu_regs *regs, const struct port_access *io)
{
	u64 *pointer = io->input ? &regs->rdi : &regs->rsi;
	u64 step = regs->rflags & BIT(10) ? -(u64)io->size : io->size;
	u32 value = port_read(io->port);

	if (io->repeat && regs->rcx == 0)
		return PORT_DONE;
	if (io->input ? copy_to_guest(_gva(*pointer), &value, io->size)
		      : copy_from_guest(&value, _gva(*pointer), io->size))
		return PORT_REFUSED;
	*pointer += step;
	return io->repeat && --regs->rcx ? PORT_AGAIN : PORT_DONE;
}

enum port_result pv_port_access(struct vcpu *v, struct cpu_regs *regs, const struct port_access *io)
{
	if (!pv_has_iopl(v) && !bitmap_opens(v, io->port, io->size))
		return PORT_REFUSED;
	if (io->string)
		return port_string(regs, io);
	if (io->input)
		port_in(regs, io->port, io->size);
	return PORT_DONE;
}
