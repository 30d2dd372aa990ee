// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Per-CPU areas and stacks. CPU 0's area is the image's .percpu section itself; the initial values were put aside first, so every other CPU starts
 * from them too. Areas and stacks come from the CPU's own node and are never freed.
 *
 * Each CPU has a slot of STACK_SLOT bytes at STACKS_VIRT_START, its stack in the upper half (asm/stack.h); CPU 0's is unmapped: it stays on the boot
 * stack. The stack for overflows is in the per-CPU area.
 */
#include <asm/memory.h>
#include <asm/paging.h>
#include <asm/setup.h>
#include <asm/stack.h>
#include <tine/arch.h>
#include <tine/heap.h>
#include <tine/lib.h>
#include <tine/string.h>

struct overflow_stack {
	char bytes[OVERFLOW_STACK_SIZE];
} __aligned(16);

extern char percpu_start[], percpu_end[], percpu_template[]; /* image.lds.S */

unsigned long percpu_offset[MAX_CPUS];
DEFINE_PERCPU(unsigned int, cpu_number);
DECLARE_PERCPU(struct overflow_stack, overflow_stack); /* vectors.S */
DEFINE_PERCPU(struct overflow_stack, overflow_stack);

static unsigned int cpus_with_stacks = 1;

void percpu_save_template(void)
{
	memcpy(percpu_template, percpu_start, (size_t)(percpu_end - percpu_start));
}

static void *boot_alloc(unsigned int order, nodeid_t node)
{
	mfn_t mfn = heap_alloc(order, node, 0, HEAP_ZERO);

	if (mfn_eq(mfn, INVALID_MFN))
		panic("No memory for a CPU's own area and stack");
	return mfn_to_virt(mfn);
}

static unsigned int order_for(size_t size)
{
	return size <= PAGE_SIZE ? 0 : msb((size - 1) / PAGE_SIZE) + 1;
}

static unsigned long stack_slot(unsigned int cpu)
{
	return STACKS_VIRT_START + cpu * (unsigned long)STACK_SLOT;
}

void percpu_alloc(unsigned int cpu, nodeid_t node)
{
	size_t size = (size_t)(percpu_end - percpu_start);
	char *area = boot_alloc(order_for(size), node);
	mfn_t stack = virt_to_mfn(boot_alloc(order_for(STACK_SIZE), node));

	memcpy(area, percpu_template, size);
	percpu_offset[cpu] = (unsigned long)area - (unsigned long)percpu_start;
	per_cpu(cpu_number, cpu) = cpu;
	if (arm64_map_pages((char *)arm64_stack_top(cpu) - STACK_SIZE, stack,
			    STACK_SIZE / PAGE_SIZE, PAGE_HYP_RW))
		panic("No memory to map the stack of CPU %u", cpu);
	cpus_with_stacks = max(cpus_with_stacks, cpu + 1);
}

void *arm64_stack_top(unsigned int cpu)
{
	return cpu ? (void *)(stack_slot(cpu) + STACK_SLOT) : boot_stack_top;
}

static bool within(unsigned long at, const void *start, size_t size)
{
	return at - (unsigned long)start < size;
}

/* The CPU whose slot VA is in; 0: none's. */
static unsigned int slot_of(unsigned long va)
{
	unsigned long slot = (va - STACKS_VIRT_START) / STACK_SLOT;

	return va >= STACKS_VIRT_START && slot < cpus_with_stacks ? (unsigned int)slot : 0;
}

unsigned long arch_stack_end(unsigned long sp)
{
	const struct overflow_stack *overflow = &this_cpu(overflow_stack);

	if (within(sp, overflow, sizeof(*overflow)))
		return (unsigned long)(overflow + 1);
	if (within(sp, boot_stack, STACK_SIZE))
		return (unsigned long)boot_stack_top;
	return slot_of(sp) && sp % STACK_SLOT >= STACK_SIZE ? ROUND_UP(sp + 1, STACK_SLOT) : 0;
}

bool arm64_stack_guards(unsigned long va)
{
	return within(va, boot_stack_guard, STACK_SIZE) ||
	       (slot_of(va) && va % STACK_SLOT < STACK_SIZE);
}
