// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each CPU's own descriptor table and task-state segment. Only the reserved part of the table
 * exists: GDTR's base lies GDT_RESERVED below it, and no selector of the hypervisor reaches there.
 * Written by its own CPU.
 */
#include <asm/segment.h>
#include <asm/setup.h>
#include <asm/tss.h>
#include <tine/lib.h>

#define ENTRY(selector) (((selector)-GDT_RESERVED) / 8)

struct reserved_gdt {
	u64 entry[GDT_RESERVED_ENTRIES];
};

struct __packed table_register {
	u16 limit;
	u64 base;
};

/* Aligned so that it does not cross a page, which the CPU would read in physical pieces. */
DEFINE_PERCPU(struct x86_tss, x86_tss) __aligned(128) = { .iomap_base = sizeof(struct x86_tss) };
DEFINE_PERCPU(struct reserved_gdt,
	      own_gdt) = { .entry = {
				   [ENTRY(SEL_HYPERVISOR_CS)] = DESC_HYPERVISOR_CS,
				   [ENTRY(SEL_HYPERVISOR_DS)] = DESC_HYPERVISOR_DS,
				   [ENTRY(SEL_GUEST_CS32)] = DESC_GUEST_CS32,
				   [ENTRY(SEL_GUEST_DS)] = DESC_GUEST_DS,
				   [ENTRY(SEL_GUEST_CS64)] = DESC_GUEST_CS64,
			   } };

void x86_load_own_gdt(void)
{
	struct table_register gdtr = {
		.limit = GDT_LIMIT,
		.base = (u64)&per_cpu(own_gdt, smp_processor_id()) - GDT_RESERVED,
	};

	__asm__ volatile("lgdt %0" : : "m"(gdtr));
}

/* An available 64-bit TSS at BASE (Intel SDM vol. 3, 8.2.3). */
static void set_tss_descriptor(u64 *entry, u64 base)
{
	u64 limit = sizeof(struct x86_tss) - 1;

	entry[0] = limit | (base & 0xffffff) << 16 | 0x89UL << 40 | ((base >> 24) & 0xff) << 56;
	entry[1] = base >> 32;
}

void x86_segments_init(void)
{
	unsigned int cpu = smp_processor_id();
	struct reserved_gdt *gdt = &per_cpu(own_gdt, cpu);

	set_tss_descriptor(&gdt->entry[ENTRY(SEL_TSS)], (u64)&per_cpu(x86_tss, cpu));
	x86_load_own_gdt();
	/* An IRETQ restores SS as it was: it must be a selector that all GDTs have. */
	__asm__ volatile("pushq %0\n\t"
			 "lea 1f(%%rip), %%rax\n\t"
			 "push %%rax\n\t"
			 "lretq\n\t"
			 "1: mov %1, %%ss"
			 :
			 : "i"(SEL_HYPERVISOR_CS), "r"(SEL_HYPERVISOR_DS)
			 : "rax", "memory");
	__asm__ volatile("ltr %w0" : : "r"(SEL_TSS));
	x86_idt_load();
}
