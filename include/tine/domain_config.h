/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is asked for when a domain is made, before there is one. Plain data, copied. */
#ifndef TINE_DOMAIN_CONFIG_H
#define TINE_DOMAIN_CONFIG_H

#include <tine/cpu.h>

#define DOMAIN_NAME_MAX 32
#define FORKS_USUAL 64

enum domain_type { DOMAIN_PV, DOMAIN_PVH };
enum domain_action { ACTION_DESTROY, ACTION_RESTART, ACTION_PRESERVE };

/* What the boot configuration (an Xen-style pair of modules, or a .cfg module) asks for. */
struct domain_config {
	char name[DOMAIN_NAME_MAX];
	enum domain_type type;
	unsigned long memory; /* bytes */
	unsigned int vcpus;
	unsigned int cpu_weight; /* 256 is usual, 1 .. 65535 */
	cpumask_t affinity;      /* empty: all */
	bool initial;            /* the initial domain: privileged */
	bool memory_as_found;    /* nothing ran before it: its frames need not be scrubbed */
	bool may_fork;
	unsigned int max_forks; /* by itself: it and all forks of it together; 0: FORKS_USUAL */
	enum domain_action on_poweroff, on_reboot, on_crash, on_watchdog;
	char cmdline[1024];
};

#endif
