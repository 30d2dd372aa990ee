/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Per-CPU variables on the host: arrays by CPU number. A thread is the CPU that host_cpu says. */
#ifndef ASM_PERCPU_H
#define ASM_PERCPU_H

#include <tine/compiler.h>
#include <tine/types.h>

#define HOST_CPUS 64

extern __thread unsigned int host_cpu;

#define DECLARE_PERCPU(type, name) extern __typeof__(type) percpu_##name[HOST_CPUS]
#define DEFINE_PERCPU(type, name) __typeof__(type) percpu_##name[HOST_CPUS]
#define this_cpu(name) (percpu_##name[host_cpu])
#define per_cpu(name, cpu) (percpu_##name[cpu])
#define smp_processor_id() host_cpu

#endif
