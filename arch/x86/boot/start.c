// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From head.S to start_of_day(): the minimum that lets C code run and fail in an orderly way, then
 * what the loader left in memory becomes boot_info. Physical memory below 4 GiB is reached through
 * the boot page tables' direct map.
 */
#include <asm/acpi.h>
#include <asm/apic.h>
#include <asm/boot.h>
#include <asm/cpufeature.h>
#include <asm/memory.h>
#include <asm/paging.h>
#include <asm/pv.h>
#include <asm/setup.h>
#include <asm/svm.h>
#include <asm/start_protocol.h>
#include <asm/time.h>
#include <asm/tss.h>
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/printk.h>

#define BOOT_MAPPED GiB(4)

extern const char image_start[], image_end[]; /* image.lds.S */

static void read_loader_information(unsigned int protocol, unsigned long info)
{
	int rc;

	if (protocol == PROTOCOL_PVH)
		rc = x86_pvh_parse(_paddr(info), &boot_info);
	else
		rc = x86_multiboot2_parse(paddr_to_virt(_paddr(info)), BOOT_MAPPED - info,
					  &boot_info);
	if (rc)
		panic("The boot loader's information cannot be used (error %d)", rc);
}

void x86_start(unsigned int protocol, unsigned long info, unsigned long load_base)
{
	percpu_save_template();
	x86_idt_init();
	x86_segments_init();
	x86_paging_set_load_base(_paddr(load_base));
	x86_features_detect();
	x86_features_enable();

	read_loader_information(protocol, info);
	boot_info.image_start = x86_image_paddr(image_start);
	boot_info.image_end = x86_image_paddr(image_end);
	start_of_day();
}

void arch_firmware_tables(struct boot_info *bi)
{
	x86_features_log();
	x86_acpi_init(bi);
}

void arch_traps_init(void)
{
	x86_paging_use_heap();
	x86_stacks_init(0, NUMA_NO_NODE);
	x86_idt_use_ist();
	pic_disable();
	apic_init();
	this_cpu(apic_id_of) = apic_id();
	pv_cpu_init();
	svm_cpu_init();
}

void arch_free_init(void)
{
}

u64 arch_boot_cycles(void)
{
	return x86_boot_tsc;
}
