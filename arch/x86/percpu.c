// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Per-CPU areas and stacks. CPU 0's area is the image's .percpu section itself; the initial values
 * were put aside first, so every other CPU starts from them too. Areas and stacks come from the
 * CPU's own node and are never freed.
 *
 * Each CPU has a slot of STACK_SLOT pages at STACKS_VIRT_START, with unmapped guard pages below
 * each stack:
 *   0       guard
 *   1 - 8   main; CPU 0's is unmapped: its main stack is the boot stack
 *   9       guard, 10 - 11 double fault
 *   12      guard, 13 - 14 NMI
 *   15      guard, 16 - 17 machine check
 *   18      guard, 19 - 20 debug
 */
#include <asm/memory.h>
#include <asm/paging.h>
#include <asm/setup.h>
#include <asm/tss.h>
#include <tine/arch.h>
#include <tine/cpu.h>
#include <tine/heap.h>
#include <tine/lib.h>
#include <tine/string.h>

#define STACK_SLOT 32 /* pages of address space */
#define MAIN_FIRST 1
#define MAIN_ORDER 3
#define IST_FIRST(ist) (10 + 3 * ((ist)-1))
#define IST_ORDER 1

extern char percpu_start[], percpu_end[], percpu_template[]; /* image.lds.S */

unsigned long percpu_offset[MAX_CPUS];
DEFINE_PERCPU(unsigned int, cpu_number);
DEFINE_PERCPU(void *, x86_stack_top);

static unsigned int cpus_with_stacks;

void percpu_save_template(void)
{
	memcpy(percpu_template, percpu_start, (size_t)(percpu_end - percpu_start));
	this_cpu(x86_stack_top) = boot_stack_top;
}

static void *boot_alloc(unsigned int order, nodeid_t node)
{
	mfn_t mfn = heap_alloc(order, node, 0, HEAP_ZERO);

	if (mfn_eq(mfn, INVALID_MFN))
		panic("No memory for a CPU's own area and stacks");
	return mfn_to_virt(mfn);
}

static unsigned int order_for(size_t size)
{
	return size <= PAGE_SIZE ? 0 : msb((size - 1) / PAGE_SIZE) + 1;
}

void percpu_alloc(unsigned int cpu, nodeid_t node)
{
	size_t size = (size_t)(percpu_end - percpu_start);
	char *area = boot_alloc(order_for(size), node);

	memcpy(area, percpu_template, size);
	percpu_offset[cpu] = (unsigned long)area - (unsigned long)percpu_start;
	per_cpu(cpu_number, cpu) = cpu;
}

static unsigned long stack_slot(unsigned int cpu)
{
	return STACKS_VIRT_START + cpu * STACK_SLOT * PAGE_SIZE;
}

/* Maps a new stack whose lowest page is the slot's page FIRST; returns its top. */
static char *map_stack(unsigned int cpu, unsigned int first, unsigned int order, nodeid_t node)
{
	char *va = (char *)stack_slot(cpu) + first * PAGE_SIZE;
	mfn_t mfn = virt_to_mfn(boot_alloc(order, node));

	if (x86_map_pages(va, mfn, 1UL << order, PAGE_HYP_RW))
		panic("No memory to map the stacks of CPU %u", cpu);
	return va + (PAGE_SIZE << order);
}

void x86_stacks_init(unsigned int cpu, nodeid_t node)
{
	if (cpu > 0)
		per_cpu(x86_stack_top, cpu) = map_stack(cpu, MAIN_FIRST, MAIN_ORDER, node);
	for (unsigned int ist = 1; ist <= IST_COUNT; ist++) {
		char *top = map_stack(cpu, IST_FIRST(ist), IST_ORDER, node) - 16;

		*(unsigned long *)top = percpu_offset[cpu]; /* for trap_entry.S */
		per_cpu(x86_tss, cpu).ist[ist - 1] = (u64)top;
	}
	cpus_with_stacks = max(cpus_with_stacks, cpu + 1);
}

unsigned long arch_stack_end(unsigned long sp)
{
	unsigned long page = (sp - STACKS_VIRT_START) / PAGE_SIZE, in_slot = page % STACK_SLOT;
	unsigned long slot = sp - in_slot * PAGE_SIZE - sp % PAGE_SIZE;

	if (sp >= (unsigned long)boot_stack && sp < (unsigned long)boot_stack_top)
		return (unsigned long)boot_stack_top;
	if (sp < STACKS_VIRT_START || page / STACK_SLOT >= cpus_with_stacks)
		return 0;
	if (in_slot >= MAIN_FIRST && in_slot < MAIN_FIRST + (1 << MAIN_ORDER))
		return page < STACK_SLOT ? 0 : slot + (MAIN_FIRST + (1 << MAIN_ORDER)) * PAGE_SIZE;
	for (unsigned int ist = 1; ist <= IST_COUNT; ist++)
		if (in_slot >= IST_FIRST(ist) && in_slot < IST_FIRST(ist) + (1 << IST_ORDER))
			return slot + (IST_FIRST(ist) + (1UL << IST_ORDER)) * PAGE_SIZE;
	return 0;
}

bool x86_stack_guards(unsigned long va)
{
	if (va >= (unsigned long)boot_stack_guard && va < (unsigned long)boot_stack)
		return true;
	return va >= STACKS_VIRT_START && !arch_stack_end(va) && arch_stack_end(va + PAGE_SIZE);
}
