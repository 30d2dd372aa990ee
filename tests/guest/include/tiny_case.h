/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a file of test cases includes. */
#ifndef TINY_CASE_H
#define TINY_CASE_H

#include "tiny_event.h"
#include "tiny_ktap.h"
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tinypv.h"
#include "tinypv_hypercall.h"
#include "tinypv_trap.h"
#include "tinypv_user.h"

#endif
