// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: any bytes as a domain's configuration. Refused: exactly one error; taken: fields
 * within their bounds.
 */
#include <stdlib.h>
#include <string.h>
#include "../../boot/internal.h"
#include "host_log.h"
#include <tine/domain.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct domain_spec spec;
	unsigned int errors;
	int ret;

	host_log_clear();
	ret = config_parse("f.cfg", (const char *)data, size, &spec);
	errors = host_log_lines() - host_log_count(" is not known here: ignored\n");
	if (errors != (ret ? 1U : 0U))
		abort();
	if (ret)
		return 0;
	if (!memchr(spec.config.cmdline, '\0', sizeof(spec.config.cmdline)) ||
	    !memchr(spec.config.name, '\0', sizeof(spec.config.name)) ||
	    !memchr(spec.kernel, '\0', sizeof(spec.kernel)) || !spec.kernel[0] ||
	    spec.config.vcpus < 1 || spec.config.vcpus > MAX_VCPUS || !spec.config.cpu_weight ||
	    !spec.config.memory || spec.config.memory % MiB(1))
		abort();
	return 0;
}
