/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Caches as far as tests look at them: frames that were written to since they were last written back as a whole. */
#ifndef HOST_CACHES_H
#define HOST_CACHES_H

#include <tine/types.h>

/* A guest is about to get these, with contents that only caches may have. */
void host_caches_have(mfn_t mfn, unsigned int order);
/* Memory holds what the frame contained when a guest first could reach it. */
bool host_caches_are_clean(mfn_t mfn);

#endif
