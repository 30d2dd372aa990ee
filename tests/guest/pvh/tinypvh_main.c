// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PVH guest: what a translated guest is promised, and, by a word of its command line, things that must be the end of it. One vCPU, flat memory.
 */
#include "tiny_hypercall.h"
#include "tiny_ktap.h"
#include "tiny_lib.h"
#include "tiny_places.h"
#include "tiny_work.h"
#include "tinypvh.h"
#include <xen/arch-x86/hvm/start_info.h>
#include <xen/hvm/hvm_op.h>
#include <xen/hvm/params.h>
#include <xen/memory.h>

#define VECTOR_NMI 2
#define VECTOR_UD 6
#define VECTOR_GP 13
#define VECTOR_UPCALL 0x50
#define CALLBACK_VECTOR (2UL << 56)
#define DR7_FIRST_ANY_OF_8 0xb0402UL /* read or written */
#define HOLE 0x30000000UL            /* its page tables map it */
#define LAPIC_PAGE 0xfee00000UL
#define MSR_X2APIC_ID 0x802
#define MSR_NONE 0x12345
#define MSR_EFER 0xc0000080
#define EFER_SVME 0x1000
#define CPUID_SVM (1U << 2)
#define CPUID_X2APIC (1U << 21)
#define CR0_CD (1UL << 30)
#define CR0_NW (1UL << 29)

struct gate {
	uint16_t offset_low, selector, flags, offset_mid;
	uint32_t offset_high, reserved;
};

extern vcpu_info_t *tinypvh_vcpu_info;
extern const char tinypvh_ud[], tinypvh_gp[], tinypvh_upcall[], tinypvh_nmi[], tinypvh_stray[];
void __noreturn tinypvh_start(const struct hvm_start_info *info, int call32);

struct tiny_places tiny_places = { .pattern = (uint64_t *)0x1000000,
				   .hole = (void *)HOLE,
				   .far = (void *)0x38000000,
				   .unmapped = (void *)0xffff820000000000 };

static struct gate idt[256];
static shared_info_t shared __page_aligned;
static const struct hvm_start_info *start_info;
static int call32_result;

void tinypvh_set_gate(unsigned int vector, const void *to)
{
	uint64_t at = (uint64_t)to;

	idt[vector] = (struct gate){ (uint16_t)at,         8, 0x8e00, (uint16_t)(at >> 16),
				     (uint32_t)(at >> 32), 0 };
}

static void load_idt(uint16_t limit)
{
	struct __attribute__((packed)) {
		uint16_t limit;
		uint64_t base;
	} pointer = { limit, (uint64_t)idt };

	asm volatile("lidt %0" : : "m"(pointer));
}

/* ---- Tests ---- */

TINY_TEST(test_call32, "start.call32", "a call before long mode takes other registers")
{
	EXPECT_EQ(call32_result, 0);
}

TINY_TEST(test_start_info, "start.info", "a kernel finds memory and tables by it alone")
{
	const struct hvm_memmap_table_entry *map = (const void *)start_info->memmap_paddr;

	EXPECT_EQ(start_info->magic, XEN_HVM_START_MAGIC_VALUE);
	EXPECT_EQ(start_info->version, 1);
	REQUIRE(start_info->memmap_entries > 1);
	EXPECT_EQ(map[0].addr, 0);
	EXPECT_EQ(map[0].type, XEN_HVM_MEMMAP_TYPE_RAM);
	EXPECT(!memcmp((const void *)start_info->rsdp_paddr, "RSD PTR ", 8));
}

static uint32_t cpuid_ecx(uint32_t leaf)
{
	uint32_t a = leaf, b, c = 0, d;

	asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	return c;
}

uint16_t tinypvh_domain(void)
{
	return (uint16_t)cpuid_ecx(0x40000004);
}

TINY_TEST(test_cpuid, "cpuid", "what is offered and cannot be used leads a kernel astray")
{
	EXPECT(cpuid_ecx(1) & CPUID_X2APIC);
	EXPECT(!(cpuid_ecx(0x80000001) & CPUID_SVM));
}

bool read_msr(uint32_t msr, uint64_t *value)
{
	uint32_t before = tinypvh_faults[1], low = 0, high = 0;

	TRY("rdmsr", : "+a"(low), "+d"(high) : "c"(msr) : "r11", "memory");
	*value = (uint64_t)high << 32 | low;
	return tinypvh_faults[1] == before;
}

TINY_TEST(test_msr, "msr", "a register that is not there must fault in the guest, not end it")
{
	uint64_t value;

	EXPECT(!read_msr(MSR_NONE, &value));
	EXPECT(read_msr(MSR_X2APIC_ID, &value) && value == 0);
	EXPECT(read_msr(MSR_EFER, &value) && !(value & EFER_SVME));
}

TINY_TEST(test_svm, "svm", "guests have no virtualisation of their own")
{
	uint32_t before = tinypvh_faults[0];

	TRY("vmrun %%rax", : : "a"(0UL) : "r11", "memory");
	EXPECT_EQ(tinypvh_faults[0], before + 1);
	TRY("stgi", : : : "r11", "memory");
	EXPECT_EQ(tinypvh_faults[0], before + 2);
}

TINY_TEST(test_port, "port", "nothing answers on any port")
{
	uint8_t value = 0;

	asm volatile("inb $0x71, %0" : "=a"(value));
	EXPECT_EQ(value, 0xff);
}

TINY_TEST(test_bad_pointer, "pointer", "an address that is mapped nowhere is an error, not the end")
{
	EXPECT_EQ(hv_xen_version(XENVER_extraversion, (void *)0x8000000000UL), -XEN_EFAULT);
	EXPECT_EQ(hv_xen_version(XENVER_extraversion, (void *)HOLE), -XEN_EFAULT);
	EXPECT_EQ(hv_xen_version(XENVER_extraversion, (void *)0xffff820000000000UL), -XEN_EFAULT);
}

TINY_TEST(test_pv_call, "pv-call", "calls that change page tables are not for translated guests")
{
	EXPECT_EQ(hypercall4(__HYPERVISOR_mmu_update, 0, 0, 0, DOMID_SELF), -XEN_ENOSYS);
	EXPECT_EQ(hypercall0(__HYPERVISOR_iret), -XEN_ENOSYS);
	EXPECT_EQ(hypercall0(63), -XEN_ENOSYS);
	EXPECT_EQ(hypercall0(1UL << 32 | __HYPERVISOR_xen_version), -XEN_ENOSYS);
}

static void map_shared_info(void)
{
	struct xen_add_to_physmap add = { .domid = DOMID_SELF,
					  .space = XENMAPSPACE_shared_info,
					  .gpfn = (uint64_t)&shared / PAGE_SIZE };

	REQUIRE_EQ(hypercall2(__HYPERVISOR_memory_op, XENMEM_add_to_physmap, (uint64_t)&add), 0);
	tinypvh_vcpu_info = &shared.vcpu_info[0];
	EXPECT(shared.wc_version != 0);
}

TINY_TEST(test_event, "event", "an event comes by the vector that the guest chose")
{
	struct xen_hvm_param via = { .domid = DOMID_SELF,
				     .index = HVM_PARAM_CALLBACK_IRQ,
				     .value = CALLBACK_VECTOR | VECTOR_UPCALL };
	struct evtchn_bind_ipi bind = { .vcpu = 0 };
	struct evtchn_send send;
	uint32_t before = tinypvh_upcalls;

	map_shared_info();
	REQUIRE_EQ(hypercall2(__HYPERVISOR_hvm_op, HVMOP_set_param, (uint64_t)&via), 0);
	REQUIRE_EQ(hv_event_channel_op(EVTCHNOP_bind_ipi, &bind), 0);
	send.port = bind.port;
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_send, &send), 0);
	EXPECT_EQ(tinypvh_upcalls, before); /* interrupts are off */
	asm volatile("sti; nop; nop; cli" : : : "memory");
	EXPECT_EQ(tinypvh_upcalls, before + 1);
	EXPECT(shared.evtchn_pending[0] & 1UL << bind.port);
}

/* ---- What must be the end of it ---- */

static void misdeed_hole(void)
{
	(void)*(volatile uint32_t *)HOLE;
}

static void misdeed_write(void)
{
	*(volatile uint32_t *)HOLE = 1;
}

static void misdeed_fetch(void)
{
	((void (*)(void))HOLE)();
}

/* Of another kind than the x2APIC that there is. */
static void misdeed_lapic(void)
{
	(void)*(volatile uint32_t *)LAPIC_PAGE;
}

/* The processor looks for its tables where there is no memory. */
static void misdeed_tables(void)
{
	asm volatile("mov %0, %%cr3" : : "r"(HOLE) : "memory");
}

static void misdeed_triple(void)
{
	load_idt(0);
	asm volatile("ud2");
}

/* A processor refuses this at once; QEMU at the next entry. */
static void misdeed_state(void)
{
	uint64_t cr0;

	asm volatile("mov %%cr0, %0" : "=r"(cr0));
	TRY("mov %0, %%cr0", : : "r"((cr0 | CR0_NW) & ~CR0_CD) : "r11", "memory");
}

/* What it watches is read by the instruction that exits: under QEMU that was noticed in the hypervisor. */
static void misdeed_watch(void)
{
	static const uint64_t watched;
	const void *from = &watched;
	void *to = (void *)HOLE;

	asm volatile("mov %0, %%dr0; mov %1, %%dr7" : : "r"(&watched), "r"(DR7_FIRST_ANY_OF_8));
	asm volatile("movsq" : "+S"(from), "+D"(to) : : "memory");
}

static void misbehave(const char *line)
{
	static const struct {
		const char *word;
		void (*run)(void);
	} misdeeds[] = { { "hole", misdeed_hole },        { "write", misdeed_write },
			 { "fetch", misdeed_fetch },      { "lapic", misdeed_lapic },
			 { "no-tables", misdeed_tables }, { "triple", misdeed_triple },
			 { "state", misdeed_state },      { "watch", misdeed_watch } };

	for (unsigned int i = 0; i < ARRAY_SIZE(misdeeds); i++) {
		if (cmdline_has_word(line, misdeeds[i].word)) {
			misdeeds[i].run();
			tiny_fail("%s had no consequence", misdeeds[i].word);
		}
	}
}

/* It sends itself interrupts of all kinds, which are taken when it is over. */
static void attack(const char *line)
{
	for (unsigned int vector = 16; vector < 256; vector++) {
		if (vector != VECTOR_UPCALL)
			tinypvh_set_gate(vector, tinypvh_stray);
	}
	tinypvh_attack(line);
	tinypvh_quiet_lapic();
}

void tinypvh_start(const struct hvm_start_info *info, int call32)
{
	const char *line = (const char *)info->cmdline_paddr;

	start_info = info;
	call32_result = call32;
	printf("tiny: PVH, command line \"%s\"\n", line);
	tinypvh_set_gate(VECTOR_UD, tinypvh_ud);
	tinypvh_set_gate(VECTOR_GP, tinypvh_gp);
	tinypvh_set_gate(VECTOR_UPCALL, tinypvh_upcall);
	tinypvh_set_gate(VECTOR_NMI, tinypvh_nmi);
	load_idt(sizeof(idt) - 1);
	misbehave(line);
	if (cmdline_has_word(line, "attack"))
		attack(line);
	if (cmdline_has_word(line, "tables")) {
		tinypvh_tables(line);
		tiny_succeed();
	}
	if (cmdline_has_word(line, "may-not"))
		work_may_not(line);
	if (cmdline_has_word(line, "equal")) {
		tinypvh_equal();
		tiny_succeed();
	}
	if (cmdline_has_word(line, "fork")) {
		work_fork(line);
		tiny_succeed();
	}
	if (cmdline_has_word(line, "fork-bench"))
		(void)work_fork_bench(line);
	if (ktap_run(NULL))
		tiny_fail("functional tests");
	tiny_succeed();
}
