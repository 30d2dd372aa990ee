/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAGE2_CODEC_H
#define STAGE2_CODEC_H

#include <tine/p2m.h>

extern const struct p2m_codec stage2_codec;

#endif
