// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose guest this is. */
#include "tiny_guest.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"

bool hypervisor_is_tine(void)
{
	char name[16] = "";

	return hv_xen_version(XENVER_extraversion, name) >= 0 && !strcmp(name, "-tine");
}
