/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A second CPU, started and stopped by PSCI (tinyarm_second.c). */
#ifndef TINYARM_SECOND_H
#define TINYARM_SECOND_H

#include "tiny_types.h"

#define PSCI_CPU_OFF 0x84000002
#define PSCI_CPU_ON 0xc4000003
#define PSCI_AFFINITY_INFO 0xc4000004
#define PSCI_CPU_IS_ON 0

/* It runs RUN and goes off. False: it cannot be started. */
bool __must_check second_cpu_run(void (*run)(void));

/* Waits for that, some seconds at most. */
bool __must_check second_cpu_is_off(void);

#endif
