// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a control domain does with another's frames, and what becomes of them. The initial domain has the
 * word `foreign-maps`, domain 1 the word `foreign-lends`; with `foreign-leaves` domain 1 ends while its
 * frames are mapped. They meet in a page that domain 1 grants.
 */
#include "tiny_case.h"
#include "tiny_grant.h"
#include "tiny_work.h"

#define LENDER 1
#define REF GRANT_FIRST_FREE
#define MAGIC 0x666f726569676eul
#define PATIENCE 30000000000ul /* ns */
#define LINGERING 1000000000ul /* for all else of it to go */
#define ENTRY 5                /* of the table that is lent */

/* Words that one of the two sets for the other to see. */
struct meeting {
	volatile uint64_t magic, frame, table, spare, mapped, tried, withdrawn, done;
};

static bool wait_for(const volatile uint64_t *word)
{
	uint64_t end = time_now() + PATIENCE;

	while (!*word && time_now() < end)
		hv_sched_op(SCHEDOP_yield, NULL);
	return *word;
}

static long other_va(const void *page, uint64_t entry, domid_t domain)
{
	return hypercall4(__HYPERVISOR_update_va_mapping_otherdomain, (uint64_t)page, entry,
			  UVMF_INVLPG, domain);
}

/* Tables of domain `tables` (-1: the caller's), frames of domain `frames`. */
static long other_update(uint64_t machine, uint64_t value, int tables, domid_t frames)
{
	mmu_update_t request = { .ptr = machine, .val = value };

	return hypercall4(__HYPERVISOR_mmu_update, (uint64_t)&request, 1, 0,
			  (uint64_t)(tables + 1) << 16 | frames);
}

static long pin(unsigned int command, uint64_t frame)
{
	mmuext_op_t op = { .cmd = command, .arg1.mfn = frame };

	return hv_mmuext_op(&op, 1, NULL);
}

#define MUST(what, condition)                                                                      \
	do {                                                                                       \
		if (!(condition))                                                                  \
			return what;                                                               \
	} while (0)

/* ---- Domain 1 ---- */

const char *work_foreign_lends(const char *line)
{
	struct meeting *m = page_alloc();
	uint64_t *data = page_alloc(), *table = page_alloc(), *spare = page_alloc();
	uint64_t spare_entry = make_pte(virt_to_mfn(spare), PTE_KERNEL_RW);

	MUST("an unprivileged domain maps another's frames",
	     other_va(spare, spare_entry, 0) == -XEN_EPERM &&
		     other_update(virt_to_machine(pte_of(spare, 1)), spare_entry, -1, 0) ==
			     -XEN_EPERM);
	MUST("an unprivileged domain changes another's tables",
	     other_update(virt_to_machine(pte_of(spare, 1)), spare_entry, 0, DOMID_SELF) ==
		     -XEN_EPERM);
	MUST("a domain that is not there has frames",
	     other_va(spare, spare_entry, 77) == -XEN_ESRCH);
	*data = MAGIC;
	MUST("no table to lend",
	     !page_set_readonly(table) && !pin(MMUEXT_PIN_L1_TABLE, virt_to_mfn(table).n));
	m->frame = virt_to_mfn(data).n;
	m->table = virt_to_mfn(table).n;
	m->spare = virt_to_mfn(spare).n;
	m->magic = MAGIC;
	grant_offer(REF, m, 0, 0);
	MUST("nobody maps the frame", wait_for(&m->mapped));
	if (cmdline_has_word(line, "foreign-leaves"))
		return NULL;
	MUST("the other's store is not to be seen", *(volatile uint64_t *)data == MAGIC + 1);
	MUST("the other's entry is not to be seen",
	     (table[ENTRY] & (PTE_FRAME | PTE_PRESENT)) ==
		     make_pte(virt_to_mfn(spare), PTE_PRESENT));
	memset(data, 0, PAGE_SIZE);
	MUST("the frame cannot be mapped read-only", !page_set_readonly(data));
	MUST("a frame that another domain may write becomes a page table",
	     pin(MMUEXT_PIN_L1_TABLE, virt_to_mfn(data).n) < 0);
	m->tried = 1;
	MUST("the mapping is not withdrawn", wait_for(&m->withdrawn));
	MUST("a frame that was mapped stays of no use",
	     !pin(MMUEXT_PIN_L1_TABLE, virt_to_mfn(data).n));
	m->tried = 2;
	MUST("the other does not end", wait_for(&m->done));
	return NULL;
}

/* ---- The initial domain ---- */

static const char *map_all(struct meeting *m, uint64_t *window)
{
	uint64_t entry = make_pte(mfn(m->frame), PTE_KERNEL_RW);
	uint64_t table_entry = make_pte(mfn(m->table), PTE_KERNEL_RW);

	MUST("another's frame is taken for an own one",
	     hv_update_va_mapping(window, entry, UVMF_INVLPG) == -XEN_EBUSY);
	MUST("an own frame is taken for another's",
	     other_va(window, make_pte(virt_to_mfn(tiny_start_info), PTE_KERNEL_RO), LENDER) ==
		     -XEN_EBUSY);
	MUST("another's table becomes writable",
	     other_va(window, table_entry, LENDER) == -XEN_EBUSY);
	MUST("another's table cannot be read",
	     !other_va(window, table_entry & ~PTE_WRITE, LENDER) &&
		     !*(volatile uint64_t *)&window[ENTRY]);
	MUST("another's table cannot be changed",
	     !other_update((m->table << PAGE_SHIFT) + ENTRY * sizeof(uint64_t),
			   make_pte(mfn(m->spare), PTE_KERNEL_RW), LENDER, LENDER));
	MUST("its entry names frames of the caller's",
	     other_update((m->table << PAGE_SHIFT) + ENTRY * sizeof(uint64_t),
			  make_pte(virt_to_mfn(tiny_start_info), PTE_KERNEL_RO), LENDER,
			  LENDER) == -XEN_EBUSY);
	MUST("another's frame is written as if it were the caller's",
	     other_update(m->spare << PAGE_SHIFT, 1, -1, LENDER) < 0);
	MUST("another's frame cannot be mapped",
	     !other_update(virt_to_machine(pte_of(window, 1)), entry, -1, LENDER));
	MUST("the caller's own flag makes another's frame writable",
	     !other_va(window, entry & ~PTE_WRITE, LENDER) &&
		     hv_update_va_mapping(window, entry, UVMF_INVLPG) == -XEN_EBUSY &&
		     !other_va(window, entry, LENDER));
	MUST("the mapping shows something else", *(volatile uint64_t *)window == MAGIC);
	*(volatile uint64_t *)window = MAGIC + 1;
	return NULL;
}

/* The translation is still in the CPU: nobody asks for a flush. */
static const char *withdraw(struct meeting *m, uint64_t *window)
{
	m->mapped = 1;
	MUST("the lender does not try", wait_for(&m->tried));
	*(volatile uint64_t *)window = 0;
	MUST("the mapping cannot be withdrawn",
	     !other_update(virt_to_machine(pte_of(window, 1)), 0, -1, DOMID_SELF));
	m->withdrawn = 1;
	while (m->tried != 2)
		hv_sched_op(SCHEDOP_yield, NULL);
	PROBE("movq $1, (%0)", : : "r"(window) : "memory");
	MUST("a page table is written through an old translation", tiny_fault.vector == TRAP_PAGE);
	return NULL;
}

static bool lender_is_there(void)
{
	domid_t id = LENDER;

	return hypercall2(__HYPERVISOR_memory_op, XENMEM_current_reservation, (uint64_t)&id) > 0;
}

static const char *outlive(struct meeting *m, uint64_t *window)
{
	uint64_t spare = m->spare, end = time_now() + PATIENCE;

	m->mapped = 1;
	while (lender_is_there() && time_now() < end)
		hv_sched_op(SCHEDOP_yield, NULL);
	MUST("the lender does not end", !lender_is_there());
	for (end = time_now() + LINGERING; time_now() < end;)
		hv_sched_op(SCHEDOP_yield, NULL);
	MUST("the frame changed when its owner went", *(volatile uint64_t *)window == MAGIC + 1);
	MUST("frames of one that ended can be mapped",
	     other_va(window, make_pte(mfn(spare), PTE_KERNEL_RW), LENDER) < 0);
	MUST("the mapping cannot be withdrawn", !other_va(window, 0, DOMID_SELF));
	return NULL;
}

const char *work_foreign_maps(const char *line)
{
	struct meeting *m = page_alloc();
	uint64_t *window = page_alloc(), end = time_now() + PATIENCE;
	const char *failure;
	grant_handle_t handle;

	MUST("pages cannot be unmapped", !page_map(m, 0) && !page_map(window, 0));
	while (grant_map(LENDER, REF, m, GNTMAP_host_map, &handle))
		MUST("the lender does not come", time_now() < end);
	MUST("the page in which to meet holds something else", m->magic == MAGIC);
	failure = map_all(m, window);
	if (failure)
		return failure;
	if (cmdline_has_word(line, "outlives"))
		return outlive(m, window);
	failure = withdraw(m, window);
	m->done = 1;
	return failure;
}
