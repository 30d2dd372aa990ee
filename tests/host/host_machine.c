// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See host_machine.h. Both the frame table and the sanitizer's shadow of it are private mappings of small files full
 * of one byte, so that a table for terabytes costs what is written to it.
 */
#define _GNU_SOURCE /* memfd_create */
#include "host_machine.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include <tine/bootmem.h>
#include <tine/numa.h>
#include <tine/page.h>
#include <tine/poison.h>
#include "host_log.h"
#include "../../mm/internal.h"

#define PATTERN_SIZE MiB(16)
#define NOISE 0xa5          /* in the frame table before the heap writes to it */
#define SHADOW_POISON 0xf7  /* ASan's own mark for memory that the user poisoned */
#define TABLE_ALIGN KiB(64) /* so that its shadow is whole pages */
#define MOST_FRAMES (1UL << 32)

struct page *host_frame_table;
char *host_direct_map;
__thread unsigned int host_cpu;
__thread bool host_irqs_off;
__thread unsigned int host_chaos;

static struct boot_info description;
static size_t table_size, map_size; /* as mapped now */
static unsigned long frame_limit;

/* ---- Memory ---- */

static int pattern_file(int byte)
{
	int fd = memfd_create("pattern", 0);
	char *at;

	if (fd < 0 || ftruncate(fd, (off_t)PATTERN_SIZE))
		abort();
	at = mmap(NULL, PATTERN_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	memset(at, byte, PATTERN_SIZE);
	munmap(at, PATTERN_SIZE);
	return fd;
}

static void map_pattern(void *start, size_t size, int fd)
{
	for (size_t at = 0; at < size; at += PATTERN_SIZE) {
		size_t n = min(size - at, PATTERN_SIZE);

		if (mmap((char *)start + at, n, PROT_READ | PROT_WRITE,
			 MAP_FIXED | MAP_PRIVATE | MAP_NORESERVE, fd, 0) == MAP_FAILED)
			abort();
	}
}

static void *reserve(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED) {
		perror("host_machine: mmap");
		abort();
	}
	return at;
}

static void *reserve_table(void)
{
	char *raw = reserve(table_size + TABLE_ALIGN);
	char *at = (char *)ROUND_UP((unsigned long)raw, TABLE_ALIGN);

	if (at > raw)
		munmap(raw, (size_t)(at - raw));
	if (at < raw + TABLE_ALIGN)
		munmap(at + table_size, (size_t)(raw + TABLE_ALIGN - at));
	return at;
}

/* The sanitizer's, where there is one. */
__attribute__((weak)) void __asan_get_shadow_mapping(size_t *scale, size_t *offset);

/* Where the sanitizer keeps its marks for the frame table. */
static void *table_shadow(size_t *size)
{
	size_t scale, offset;

	__asan_get_shadow_mapping(&scale, &offset);
	*size = table_size >> scale;
	return (void *)(((unsigned long)host_frame_table >> scale) + offset);
}

static void poison_table(void)
{
	static int fd = -1;
	size_t size;
	void *shadow;

	if (!MEM_POISONING)
		return;
	if (fd < 0)
		fd = pattern_file(SHADOW_POISON);
	shadow = table_shadow(&size);
	map_pattern(shadow, size, fd);
}

static void unpoison_table(void)
{
	size_t size;
	void *shadow;

	if (!MEM_POISONING)
		return;
	shadow = table_shadow(&size);
	if (mmap(shadow, size, PROT_READ | PROT_WRITE,
		 MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
		abort();
}

static void map_machine(void)
{
	static int fd = -1;
	unsigned long frames = ROUND_UP(mfn_x(bootmem_end_of_ram()), SECTION_FRAMES);

	if (fd < 0)
		fd = pattern_file(NOISE);
	if (table_size) {
		unpoison_table();
		munmap(host_frame_table, table_size);
		munmap(host_direct_map, map_size);
	}
	table_size = ROUND_UP(frames * sizeof(struct page), TABLE_ALIGN);
	map_size = frames << PAGE_SHIFT;
	host_frame_table = reserve_table();
	host_direct_map = reserve(map_size);
	map_pattern(host_frame_table, table_size, fd);
	poison_table();
}

/* ---- Description ---- */

struct boot_info *machine_new(void)
{
	boot_info_reset(&description, "test");
	host_log_clear();
	return &description;
}

void machine_ram(u64 start, u64 end)
{
	boot_info_add_region(&description, start, end - start, MEM_RAM);
}

void machine_resv(u64 start, u64 end, enum mem_type type)
{
	boot_info_add_region(&description, start, end - start, type);
}

void machine_node(u32 proximity, u64 start, u64 end)
{
	if (description.nr_node_ranges == BOOT_MAX_NODE_RANGES)
		abort();
	description.node_ranges[description.nr_node_ranges++] =
		(struct boot_node_range){ _paddr(start), _paddr(end), proximity, false };
}

static void map_line(const char *line)
{
	static const struct {
		const char *name;
		enum mem_type type;
	} types[] = { { "reserved", MEM_RESERVED },
		      { "acpi", MEM_ACPI },
		      { "nvs", MEM_NVS },
		      { "unusable", MEM_UNUSABLE },
		      { "persistent", MEM_PERSISTENT } };
	unsigned long start, end;
	unsigned int id;
	char word[32];

	if (sscanf(line, "ram %lx %lx", &start, &end) == 2)
		machine_ram(start, end);
	else if (sscanf(line, "node %u %lx %lx", &id, &start, &end) == 3)
		machine_node(id, start, end);
	else if (sscanf(line, "resv %lx %lx %31s", &start, &end, word) == 3)
		for (unsigned int i = 0; i < ARRAY_SIZE(types); i++)
			if (!strcmp(word, types[i].name))
				machine_resv(start, end, types[i].type);
}

void machine_from_map(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[512];

	if (!f)
		fail_msg("%s: cannot be read", path);
	machine_new();
	while (fgets(line, sizeof(line), f))
		map_line(line);
	fclose(f);
}

unsigned long machine_ram_frames(void)
{
	unsigned long n = 0;

	for (unsigned int i = 0; i < description.nr_regions; i++) {
		const struct mem_region *r = &description.regions[i];
		unsigned long s = (paddr_x(r->start) + PAGE_SIZE - 1) / PAGE_SIZE;
		unsigned long e = min(paddr_x(r->end) / PAGE_SIZE, frame_limit);

		if (r->type == MEM_RAM && s < e)
			n += e - s;
	}
	return n;
}

bool machine_is_ram(unsigned long mfn)
{
	for (unsigned int i = 0; i < description.nr_regions && mfn < frame_limit; i++) {
		const struct mem_region *r = &description.regions[i];

		if (r->type == MEM_RAM && paddr_x(r->start) <= mfn * PAGE_SIZE &&
		    (mfn + 1) * PAGE_SIZE <= paddr_x(r->end))
			return true;
	}
	return false;
}

/* ---- Boot ---- */

extern const struct cmdline_option __start_cmdline_options[], __stop_cmdline_options[];

void machine_options(const char *options)
{
	unsigned int wrong =
		cmdline_parse(options, __start_cmdline_options, __stop_cmdline_options);

	if (wrong)
		fail_msg("options \"%s\":\n%s", options, host_log_text());
}

void machine_boot(const char *options, unsigned long limit)
{
	frame_limit = limit ? limit : MOST_FRAMES;
	if (boot_info_sanitize(&description))
		fail_msg("the machine has no RAM");
	machine_options("heap-init=lazy bootscrub=off numa=on badpage=");
	machine_options(options);
	bootmem_init(&description, _mfn(frame_limit));
	map_machine();
	numa_init(&description);
	memset(heap_nodes, 0, sizeof(heap_nodes));
	heap_free_pages_total = 0;
}

void machine_boot_heap(const char *options, unsigned long limit, struct heap_init_stats *stats)
{
	machine_boot(options, limit);
	heap_init(stats);
}

/* ---- Chance and time ---- */

static u64 rnd_state;

u64 machine_seed(void)
{
	const char *given = getenv("TINE_SEED");
	u64 seed =
		given ? strtoull(given, NULL, 0) : (u64)time(NULL) * 1000003 ^ (u64)getpid() << 32;

	rnd_state = seed | 1;
	printf("# seed %#lx (repeat with TINE_SEED=%#lx)\n", seed, seed);
	fflush(stdout);
	return seed;
}

void rnd_set(u64 seed)
{
	rnd_state = seed | 1;
}

/* Marsaglia's xorshift, its high bits. */
u64 rnd(void)
{
	rnd_state ^= rnd_state << 13;
	rnd_state ^= rnd_state >> 7;
	rnd_state ^= rnd_state << 17;
	return rnd_state * 0x2545f4914f6cdd1dULL >> 8;
}

unsigned long rnd_below(unsigned long n)
{
	return rnd() % n;
}

double machine_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double machine_seconds(double dflt)
{
	const char *given = getenv("TINE_SECONDS");

	return given ? strtod(given, NULL) : dflt;
}
