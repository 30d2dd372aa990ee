// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The xl.cfg subset: what is understood, and that each mistake gives one line with file and line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tine/errno.h>
#include "../../boot/internal.h"
#include "host_log.h"

static struct domain_spec spec;

/* From a copy of exactly its length: the sanitizer sees the first byte too far. */
static int parse(const char *text)
{
	size_t len = strlen(text);
	char *copy = malloc(len);
	int ret;

	memcpy(copy, text, len);
	host_log_clear();
	ret = config_parse("dir/web.cfg", copy, len, &spec);
	free(copy);
	return ret;
}

static void a_whole_file(void **state)
{
	assert_int_equal(parse("# a comment\n"
			       "\n"
			       "name = \"shop\"   # another\r\n"
			       "type=\"pvh\";\n"
			       "memory = 0x100\n"
			       "  vcpus\t=\t4\n"
			       "kernel = 'vmlinuz'\n"
			       "ramdisk = \"initrd.gz\"\n"
			       "extra = \"console=hvc0 root='/dev/x' # no comment\"\n"
			       "cpus = \"0-3,^2,9\"\n"
			       "cpu_weight = 512\n"
			       "on_poweroff = \"preserve\"\n"
			       "on_reboot = \"destroy\"\n"
			       "on_crash = \"restart\"\n"
			       "on_watchdog = \"preserve\"\n"
			       "fork = 1\nmax_forks = 5"),
			 0);
	assert_log_lines(0);
	assert_string_equal(spec.config.name, "shop");
	assert_int_equal(spec.config.type, DOMAIN_PVH);
	assert_int_equal(spec.config.memory, MiB(256));
	assert_int_equal(spec.config.vcpus, 4);
	assert_string_equal(spec.kernel, "vmlinuz");
	assert_string_equal(spec.ramdisk, "initrd.gz");
	assert_string_equal(spec.config.cmdline, "console=hvc0 root='/dev/x' # no comment");
	assert_int_equal(spec.config.affinity.bits[0], 0x20b);
	assert_int_equal(spec.config.cpu_weight, 512);
	assert_int_equal(spec.config.on_poweroff, ACTION_PRESERVE);
	assert_int_equal(spec.config.on_reboot, ACTION_DESTROY);
	assert_int_equal(spec.config.on_crash, ACTION_RESTART);
	assert_int_equal(spec.config.on_watchdog, ACTION_PRESERVE);
	assert_true(spec.config.may_fork);
	assert_int_equal(spec.config.max_forks, 5);
	assert_false(spec.config.initial);
}

static void core_dumps_are_left_out(void **state)
{
	assert_int_equal(parse("kernel=\"k\"\nmemory=64\non_crash='coredump-restart'\n"
			       "on_reboot='coredump-destroy'\n"),
			 0);
	assert_int_equal(spec.config.on_crash, ACTION_RESTART);
	assert_int_equal(spec.config.on_reboot, ACTION_DESTROY);
}

static void what_is_not_said_is_as_xl_has_it(void **state)
{
	assert_int_equal(parse("kernel=\"k\"\nmemory=64\n"), 0);
	assert_string_equal(spec.config.name, "web");
	assert_int_equal(spec.config.type, DOMAIN_PV);
	assert_int_equal(spec.config.vcpus, 1);
	assert_int_equal(spec.config.cpu_weight, 256);
	assert_int_equal(spec.config.affinity.bits[0], 0);
	assert_int_equal(spec.config.on_poweroff, ACTION_DESTROY);
	assert_int_equal(spec.config.on_reboot, ACTION_RESTART);
	assert_int_equal(spec.config.on_crash, ACTION_DESTROY);
	assert_int_equal(spec.config.on_watchdog, ACTION_DESTROY);
	assert_false(spec.config.may_fork);
	assert_int_equal(spec.config.max_forks, 0);
}

static void unknown_keys_are_left_out_with_a_line(void **state)
{
	assert_int_equal(parse("kernel='k'\n"
			       "disk = [ 'phy:/dev/a,xvda,w', # first\n"
			       "         \"b\",\n"
			       "       ]\n"
			       "vif = []\n"
			       "memory = 8\n"),
			 0);
	assert_log("dir/web.cfg:2: \"disk\" is not known here: ignored");
	assert_log("dir/web.cfg:5: \"vif\"");
	assert_log_lines(2);
	assert_int_equal(spec.config.memory, MiB(8));
}

static void cpu_lists(void **state)
{
	static const struct {
		const char *text;
		unsigned long cpus;
	} good[] = {
		{ "cpus='all'", 0 },         { "cpus=3", 8 },         { "cpus='0'", 1 },
		{ "cpus=['0','2-3']", 0xd }, { "cpus=[1, 4]", 0x12 }, { "cpus='^0'", ~1UL },
		{ "cpus='63'", 1UL << 63 },
	};
	static const char *const bad[] = { "cpus='64'",   "cpus='a'", "cpus='3-1'",
					   "cpus='1,'",   "cpus=''",  "cpus='1-'",
					   "cpus='0,^0'", "cpus=64",  "cpus='1 2'" };
	char text[100];

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		(void)snprintf(text, sizeof(text), "kernel='k'\nmemory=1\n%s", good[i].text);
		assert_int_equal(parse(text), 0);
		assert_true(spec.config.affinity.bits[0] == good[i].cpus);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		(void)snprintf(text, sizeof(text), "kernel='k'\nmemory=1\n%s", bad[i]);
		assert_int_equal(parse(text), -EINVAL);
		assert_log("dir/web.cfg:3: cpus ");
		assert_log_lines(1);
	}
}

static void each_mistake_has_its_line(void **state)
{
	static const struct {
		const char *text, *said;
	} bad[] = {
		{ "", "web.cfg:1: the file names no kernel" },
		{ "kernel='k'", "web.cfg:1: the file says nothing about memory" },
		{ "\nmemory = lots", "web.cfg:2: a value is neither" },
		{ "memory = 'lots'", "web.cfg:1: memory is not a number" },
		{ "memory = 0", "web.cfg:1: memory is out of range" },
		{ "memory = 99999999999999999999999", "web.cfg:1: a value is neither" },
		{ "memory = 16777217", "web.cfg:1: memory is out of range" },
		{ "memory", "web.cfg:1: no '=' behind the key" },
		{ "memory =", "web.cfg:1: a value is missing" },
		{ "memory = 1 2", "web.cfg:1: there is something behind the value" },
		{ "= 3", "web.cfg:1: no key that could be known" },
		{ "\x7f"
		  "ELF\2\1\1",
		  "web.cfg:1: no key that could be known" },
		{ "kernel = k", "web.cfg:1: a value is neither" },
		{ "kernel = 3", "web.cfg:1: kernel is not a string" },
		{ "kernel = ''", "web.cfg:1: kernel is empty" },
		{ "kernel = 'k", "web.cfg:1: a string does not end" },
		{ "kernel = 'k\n'", "web.cfg:1: a string does not end" },
		{ "kernel = \"k'", "web.cfg:1: a string does not end" },
		{ "vcpus = 33", "web.cfg:1: vcpus is out of range" },
		{ "vcpus = 0", "web.cfg:1: vcpus is out of range" },
		{ "cpu_weight = 65536", "web.cfg:1: cpu_weight is out of range" },
		{ "type = 'hvm'", "web.cfg:1: type is neither" },
		{ "fork = 2", "web.cfg:1: fork is out of range" },
		{ "max_forks = 0", "web.cfg:1: max_forks is out of range" },
		{ "on_crash = 'rename-restart'", "web.cfg:1: on_crash is none of" },
		{ "on_reboot = 1", "web.cfg:1: on_reboot is not a string" },
		{ "name = 'a-name-that-is-longer-than-there-is-room-for'",
		  "web.cfg:1: name is too long" },
		{ "disk = [ 'a'\n\n 'b' ]", "web.cfg:3: a list does not end" },
		{ "disk = [ 'a',\n", "web.cfg:2: a value is missing" },
		{ "a_key_of_more_than_thirty_one_letters = 1",
		  "web.cfg:1: no key that could be known" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(parse(bad[i].text), -EINVAL);
		assert_log(bad[i].said);
		assert_log_lines(1);
	}
}

static void a_value_may_be_long_but_not_too_long(void **state)
{
	enum { ROOM = sizeof(spec.config.cmdline) };
	char text[ROOM + 100] = "kernel='k'\nmemory=1\nextra='";
	size_t at = strlen(text);

	memset(text + at, 'x', ROOM - 1);
	strcpy(text + at + ROOM - 1, "'\n");
	assert_int_equal(parse(text), 0);
	assert_int_equal(strlen(spec.config.cmdline), ROOM - 1);
	strcpy(text + at + ROOM - 1, "x'\n");
	assert_int_equal(parse(text), -EINVAL);
	assert_log("dir/web.cfg:3: the value is too long");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_file),
		cmocka_unit_test(core_dumps_are_left_out),
		cmocka_unit_test(what_is_not_said_is_as_xl_has_it),
		cmocka_unit_test(unknown_keys_are_left_out_with_a_line),
		cmocka_unit_test(cpu_lists),
		cmocka_unit_test(each_mistake_has_its_line),
		cmocka_unit_test(a_value_may_be_long_but_not_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
