// SPDX-License-Identifier: GPL-2.0-or-later
/* Machine checks: what Linux's log of them asks for when it starts as the initial domain. */
#include "tiny_case.h"

#include <xen/arch-x86/xen-mca.h>

static long mca(xen_mc_t *op, uint32_t command)
{
	op->cmd = command;
	op->interface_version = XEN_MCA_INTERFACE_VERSION;
	return hypercall1(__HYPERVISOR_mca, (uint64_t)op);
}

static bool privileged(void)
{
	return tiny_start_info->flags & SIF_PRIVILEGED;
}

TINY_TEST(mca_allowed, "mca.allowed", "who may not ask is told so, and an unknown version is none")
{
	static xen_mc_t op;

	if (!privileged()) {
		EXPECT_EQ(mca(&op, XEN_MC_physcpuinfo), -XEN_EPERM);
		return;
	}
	EXPECT_EQ(hypercall1(__HYPERVISOR_mca, 0x123456789000), -XEN_EFAULT);
	op.interface_version = 1;
	EXPECT_EQ(hypercall1(__HYPERVISOR_mca, (uint64_t)&op), -XEN_EACCES);
	EXPECT_EQ(mca(&op, 0), -XEN_EINVAL);
	EXPECT_EQ(mca(&op, 99), -XEN_EINVAL);
}

TINY_TEST(mca_cpus, "mca.cpus", "the CPUs are counted, then described")
{
	static xen_mc_logical_cpu_t cpus[2];
	static xen_mc_t op;

	SKIP_IF(!privileged(), "only the initial domain may ask");
	memset(&op, 0, sizeof(op));
	EXPECT_EQ(mca(&op, XEN_MC_physcpuinfo), 0);
	EXPECT(op.u.mc_physcpuinfo.ncpus >= 1);
	op.u.mc_physcpuinfo.ncpus = 1;
	op.u.mc_physcpuinfo.info.p = cpus;
	cpus[1].mc_family = 77;
	EXPECT_EQ(mca(&op, XEN_MC_physcpuinfo), 0);
	EXPECT_EQ(op.u.mc_physcpuinfo.ncpus, 1);
	EXPECT(cpus[0].mc_family >= 6);
	EXPECT(cpus[0].mc_vendorid[0] >= 'A');
	EXPECT_EQ(cpus[1].mc_family, 77);
}

TINY_TEST(mca_fetch, "mca.fetch", "there is nothing to fetch")
{
	static mc_info_t data;
	static xen_mc_t op;

	SKIP_IF(!privileged(), "only the initial domain may ask");
	memset(&op, 0, sizeof(op));
	op.u.mc_fetch.flags = XEN_MC_NONURGENT;
	EXPECT_EQ(mca(&op, XEN_MC_fetch), -XEN_EINVAL);
	op.u.mc_fetch.data.p = &data;
	EXPECT_EQ(mca(&op, XEN_MC_fetch), 0);
	EXPECT_EQ(op.u.mc_fetch.flags, XEN_MC_NODATA);
	op.u.mc_fetch.flags = XEN_MC_NONURGENT | XEN_MC_ACK;
	EXPECT_EQ(mca(&op, XEN_MC_fetch), 0);
}
