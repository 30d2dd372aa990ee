// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whose frames and whose tables: the last argument of mmu_update, mmuext_op and
 * update_va_mapping_otherdomain. Alone there is nobody to map; work_foreign.c has two domains. The
 * answers are those of Xen 4.17 to a privileged domain.
 */
#include "tiny_case.h"
#include "tiny_grant.h"

#define TABLES_OF(id) (((uint64_t)(id) + 1) << 16)
#define NOBODY 77

static uint64_t *page, own;

static bool privileged(void)
{
	return tiny_start_info->flags & SIF_PRIVILEGED;
}

static long other_va(const void *address, uint64_t entry, uint64_t domain)
{
	return hypercall4(__HYPERVISOR_update_va_mapping_otherdomain, (uint64_t)address, entry,
			  UVMF_INVLPG, domain);
}

static long update(uint64_t machine, uint64_t value, uint64_t foreign)
{
	mmu_update_t request = { .ptr = machine, .val = value };

	return hypercall4(__HYPERVISOR_mmu_update, (uint64_t)&request, 1, 0, foreign);
}

static long extended(unsigned int command, uint64_t arg1, uint64_t foreign)
{
	mmuext_op_t op = { .cmd = command, .arg1.mfn = arg1 };

	return hypercall4(__HYPERVISOR_mmuext_op, (uint64_t)&op, 1, 0, foreign);
}

static void take_page(void)
{
	page = page_alloc();
	own = *pte_of(page, 1);
}

static void give_page(void)
{
	EXPECT_EQ(page_set_writable(page), 0);
	page_free(page);
}

TINY_TEST(foreign_self, "foreign.self", "the caller itself, by the name that means it")
{
	take_page();
	EXPECT_EQ(other_va(page, 0, DOMID_SELF), 0);
	EXPECT_EQ(other_va(page, own, DOMID_SELF), 0);
	EXPECT_EQ(other_va((const void *)0x123456789000, 0, DOMID_SELF), -XEN_EINVAL);
	EXPECT_EQ(update(virt_to_machine(pte_of(page, 1)), own,
			 DOMID_SELF | TABLES_OF(own_domain_id())),
		  0);
	give_page();
}

TINY_TEST(foreign_nobody, "foreign.nobody",
	  "numbers that are nobody's, the caller's own among them, are told so before anything is "
	  "done")
{
	const uint64_t nobodies[] = { NOBODY, own_domain_id(), DOMID_COW, DOMID_INVALID };
	const uint64_t *entry;
	unsigned int i;

	take_page();
	entry = pte_of(page, 1);
	for (i = 0; i < ARRAY_SIZE(nobodies); i++) {
		EXPECT_EQ(other_va(page, 0, nobodies[i]), -XEN_ESRCH);
		EXPECT_EQ(update(virt_to_machine(entry), 0, nobodies[i]), -XEN_ESRCH);
		EXPECT_EQ(extended(MMUEXT_TLB_FLUSH_LOCAL, 0, nobodies[i]), -XEN_ESRCH);
	}
	EXPECT_EQ(update(virt_to_machine(entry), 0, DOMID_SELF | TABLES_OF(NOBODY)), -XEN_ESRCH);
	EXPECT_EQ(update(virt_to_machine(entry), 0, DOMID_SELF | TABLES_OF(DOMID_SELF)),
		  -XEN_ESRCH);
	EXPECT_EQ(*entry, own);
	give_page();
}

TINY_TEST(
	foreign_io, "foreign.io",
	"DOMID_IO owns what is no memory, and DOMID_XEN what no guest owns: neither has our frames")
{
	const uint64_t *entry;

	SKIP_IF(!privileged(), "only a privileged domain may name them");
	take_page();
	entry = pte_of(page, 1);
	EXPECT_EQ(other_va(page, 0, DOMID_IO), 0);
	EXPECT_EQ(other_va(page, own, DOMID_IO), -XEN_EBUSY);
	EXPECT_EQ(other_va(page, make_pte(mfn(0xfed00), PTE_KERNEL_RW), DOMID_IO), 0);
	EXPECT_EQ(other_va(page, 0, DOMID_XEN), 0);
	EXPECT_EQ(other_va(page, own, DOMID_XEN), -XEN_EBUSY);
	EXPECT_EQ(other_va(page, make_pte(mfn(0xfed00), PTE_KERNEL_RW), DOMID_XEN), -XEN_EPERM);
	EXPECT_EQ(update(virt_to_machine(entry), own, DOMID_IO), -XEN_EBUSY);
	EXPECT_EQ(update(virt_to_machine(pte_of(page, 2)), *pte_of(page, 2), DOMID_IO),
		  -XEN_EINVAL);
	EXPECT_EQ(update(virt_to_machine(page) | MMU_MACHPHYS_UPDATE, 1, DOMID_IO), -XEN_EINVAL);
	EXPECT_EQ(extended(MMUEXT_TLB_FLUSH_LOCAL, 0, DOMID_IO), -XEN_EPERM);
	EXPECT_EQ(extended(MMUEXT_CLEAR_PAGE, virt_to_mfn(page).n, DOMID_XEN), -XEN_EINVAL);
	EXPECT_EQ(extended(MMUEXT_UNPIN_TABLE, virt_to_mfn(page).n, DOMID_IO), -XEN_EINVAL);
	EXPECT_EQ(extended(99, 0, DOMID_IO), -XEN_ENOSYS);
	EXPECT_EQ(*entry, 0);
	give_page();
}
