// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The other CPUs, started one at a time by CPU 0 with INIT and STARTUP interrupts (Intel SDM vol.
 * 3, 8.4). What the CPU that is starting needs lies in x86_ap_boot; `alive` comes back. One that
 * does not answer is sent back to waiting with another INIT, reported, and its number given to the
 * next.
 */
#include <asm/apic.h>
#include <asm/boot.h>
#include <asm/clock.h>
#include <asm/cpufeature.h>
#include <asm/memory.h>
#include <asm/msr.h>
#include <asm/paging.h>
#include <asm/pv.h>
#include <asm/tss.h>
#include <asm/setup.h>
#include <asm/svm.h>
#include <tine/arch.h>
#include <tine/bootmem.h>
#include <tine/lib.h>
#include <tine/numa.h>
#include <tine/printk.h>
#include <tine/sched.h>
#include <tine/string.h>
#include <tine/time.h>

#define ANSWER_US 1000000 /* generous: QEMU's CPUs share a host's */
#define STEP_US 20
#define TSC_TOLERANCE_US 2

/* The end of trampoline.S. */
struct trampoline_words {
	u32 cr3, efer;
};

/* Offsets are known to trampoline.S. */
struct ap_boot {
	u64 cr3;
	void *stack;
	u64 gs_base;
};

enum ap_state { AP_SILENT, AP_ALIVE, AP_SHOWS_TSC, AP_RELEASED };

extern char x86_trampoline[], x86_trampoline_end[], x86_trampoline_words[], boot_l4[];

struct ap_boot x86_ap_boot;
cpumask_t cpu_online_map = { { 1 } };
unsigned int nr_cpus = 1;

static mfn_t trampoline = { ~0UL };
static u32 ap_state; /* enum ap_state; both sides */
static u64 ap_tsc;

void x86_trampoline_reserve(void)
{
	trampoline = bootmem_try_alloc(1, 1, _mfn(MiB(1) / PAGE_SIZE), NUMA_NO_NODE);
}

static u32 state(void)
{
	return __atomic_load_n(&ap_state, __ATOMIC_SEQ_CST);
}

static void set_state(enum ap_state s)
{
	__atomic_store_n(&ap_state, s, __ATOMIC_SEQ_CST);
}

static bool wait_for(enum ap_state s, unsigned int us)
{
	for (unsigned int waited = 0; waited < us; waited += STEP_US) {
		if (state() == s)
			return true;
		x86_delay_us(STEP_US);
	}
	return state() == s;
}

static void prepare_trampoline(void)
{
	char *page = mfn_to_virt(trampoline);
	struct trampoline_words *words;

	memcpy(page, x86_trampoline, (size_t)(x86_trampoline_end - x86_trampoline));
	words = (void *)(page + (x86_trampoline_words - x86_trampoline));
	words->cr3 = (u32)paddr_x(x86_image_paddr(boot_l4));
	words->efer = EFER_SCE | EFER_LME | (x86_cpu.nx ? EFER_NXE : 0);
}

static bool start(u32 id)
{
	set_state(AP_SILENT);
	apic_send_init(id);
	x86_delay_us(x86_cpu.hypervisor ? 10 : 10000);
	for (unsigned int attempt = 0; attempt < 2; attempt++) {
		apic_send_startup(id, (u8)mfn_x(trampoline));
		if (wait_for(AP_ALIVE, attempt ? ANSWER_US : ANSWER_US / 10))
			return true;
	}
	apic_send_init(id);
	return false;
}

/*
 * System time is one CPU's TSC read on any: theirs must agree. The other CPU's reading has to fall
 * between two of ours.
 */
static void check_tsc(unsigned int cpu)
{
	u64 before = rdtsc(), after, off;

	set_state(AP_SHOWS_TSC);
	if (!wait_for(AP_RELEASED, ANSWER_US))
		panic("CPU %u stopped in the middle of its start", cpu);
	after = rdtsc();
	off = ap_tsc < before ? before - ap_tsc : ap_tsc > after ? ap_tsc - after : 0;
	if (off > stime_to_tsc_delta(TSC_TOLERANCE_US * NSEC_PER_USEC))
		pr_warn("CPU %u: its TSC is off by %lu ticks (%s): time will jump for vCPUs that "
			"move",
			cpu, off, ap_tsc < before ? "behind" : "ahead");
}

/* The first one's, where firmware does not say. */
static nodeid_t node_of(const struct boot_cpu *firmware)
{
	nodeid_t node = numa_node_of_proximity(firmware->proximity);

	return node == NUMA_NO_NODE ? 0 : node;
}

static bool start_cpu(unsigned int cpu, const struct boot_cpu *firmware, bool again)
{
	nodeid_t node = node_of(firmware);

	numa_set_cpu_node(cpu, node);
	if (!again) {
		percpu_alloc(cpu, node);
		x86_stacks_init(cpu, node);
	}
	per_cpu(apic_id_of, cpu) = firmware->hw_id;
	x86_ap_boot.cr3 = paddr_x(x86_master_cr3());
	x86_ap_boot.stack = per_cpu(x86_stack_top, cpu);
	x86_ap_boot.gs_base = percpu_offset[cpu];
	if (!start(firmware->hw_id)) {
		pr_warn("CPU with APIC id %u does not answer: left out", firmware->hw_id);
		return false;
	}
	check_tsc(cpu);
	while (!cpu_online(cpu))
		cpu_relax();
	return true;
}

void arch_start_cpus(const struct boot_info *bi)
{
	unsigned int limit = min(opt_maxcpus, (unsigned int)MAX_CPUS);
	unsigned int cpu = 1, prepared = 1; /* CPU numbers below it have their area and stacks */
	bool started;

	if (bi->nr_cpus > 1 && limit > 1 && mfn_eq(trampoline, INVALID_MFN)) {
		pr_err("No free frame below 1 MiB: the other CPUs cannot be started");
		limit = 1;
	}
	if (limit > 1 && bi->nr_cpus > 1)
		prepare_trampoline();
	for (unsigned int i = 0; i < bi->nr_cpus && cpu < limit; i++) {
		if (bi->cpus[i].hw_id == apic_id()) {
			numa_set_cpu_node(0, node_of(&bi->cpus[i]));
			continue;
		}
		if (bi->cpus[i].hw_id > 0xff) {
			pr_warn("CPU with APIC id %#x is beyond xAPIC's reach: left out",
				bi->cpus[i].hw_id);
			continue;
		}
		started = start_cpu(cpu, &bi->cpus[i], cpu < prepared);
		prepared = cpu + 1;
		cpu += started;
		nr_cpus = cpu;
	}
	pr_info("CPUs: %u running, %u reported by firmware", cpu, bi->nr_cpus);
}

/* First C code of another CPU: interrupts off, its own stack and per-CPU area. */
void x86_ap_main(void)
{
	unsigned int cpu = smp_processor_id();

	x86_segments_init();
	x86_features_enable();
	apic_cpu_init();
	set_state(AP_ALIVE);
	while (state() != AP_SHOWS_TSC)
		cpu_relax();
	ap_tsc = rdtsc();
	set_state(AP_RELEASED);

	x86_timer_cpu_init();
	pv_cpu_init();
	svm_cpu_init();
	sched_cpu_init(cpu);
	cpumask_set(&cpu_online_map, cpu);
	sched_run();
}
