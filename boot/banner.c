// SPDX-License-Identifier: GPL-2.0-or-later
/* The build's identity: the one object that the build makes anew with every commit. */
#include <tine/version.h>

const char tine_version[] = TINE_VERSION;
const char tine_variant[] = TINE_VARIANT;
const char tine_compiler[] = __VERSION__;
