// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Owns the kernel's GDT page. It stays mapped read-only from gdt_init on: the hypervisor takes it
 * only so (abi page 5.6).
 */
#include "tinypv_gdt.h"
#include "tiny_page.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"

static uint64_t *gdt;

static int fill_page(void)
{
	gdt = page_alloc();
	gdt[GDT_CODE64] = DESC_CODE64;
	gdt[GDT_DATA] = DESC_DATA;
	gdt[GDT_CODE32] = DESC_CODE32;
	return page_set_readonly(gdt);
}

int gdt_init(void)
{
	int rc = gdt ? 0 : fill_page();
	uint64_t frame;

	if (rc)
		return rc;
	frame = virt_to_mfn(gdt).n;
	return hv_set_gdt(&frame, GDT_ENTRIES);
}

const uint64_t *gdt_page(void)
{
	return gdt;
}

uint64_t gdt_machine_address(unsigned int index)
{
	return virt_to_machine(&gdt[index]);
}
