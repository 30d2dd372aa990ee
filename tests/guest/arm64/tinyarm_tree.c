// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the guest needs of its device tree (the Devicetree Specification 0.4, chapter 5): a tree of the domain's own from Tine or Xen, or the machine's as Xen
 * leaves it to its first domain. Addresses and sizes are of two cells. Nodes below the root are known by name or by `compatible`, whose property may
 * come before or behind the others: they are looked at when all have been read.
 */
#include "tiny_lib.h"
#include "tinyarm.h"

#define MAGIC 0xd00dfeedu
#define BEGIN_NODE 1
#define END_NODE 2
#define PROPERTY 3
#define NOP 4

#define PPI(cell) (fdt32(cell) + 16)
#define CELLS_OF_INTERRUPT 3
#define VIRTUAL_TIMER 2 /* of a timer's interrupts, the third */

struct node {
	const char *name;
	const uint32_t *reg, *interrupts;
	const char *compatible, *bootargs;
	uint32_t reg_size, compatible_size;
};

struct tinyarm_machine tinyarm_machine = { .line = "" };

static uint32_t fdt32(const uint32_t *cell)
{
	return __builtin_bswap32(*cell);
}

static uint64_t fdt64(const uint32_t *cell)
{
	return (uint64_t)fdt32(cell) << 32 | fdt32(cell + 1);
}

static bool begins(const char *text, const char *with)
{
	return !memcmp(text, with, strlen(with));
}

/* A list of texts, each ended by a NUL. */
static bool is_compatible(const struct node *n, const char *with)
{
	for (uint32_t at = 0; n->compatible && at < n->compatible_size;
	     at += (uint32_t)strlen(n->compatible + at) + 1)
		if (!strcmp(n->compatible + at, with))
			return true;
	return false;
}

static void take_controller(const struct node *n, bool v3)
{
	tinyarm_machine.gic_v3 = v3;
	tinyarm_machine.distributor = fdt64(n->reg);
	tinyarm_machine.cpu = fdt64(n->reg + 4);
	tinyarm_machine.cpu_size = fdt64(n->reg + 6);
}

static void take_memory(const struct node *n)
{
	if (tinyarm_machine.memory_size)
		return;
	tinyarm_machine.memory = fdt64(n->reg);
	tinyarm_machine.memory_size = fdt64(n->reg + 2);
}

/* A node below the root or, as a CPU, below one of those; all its properties are known. */
static void take(const struct node *n, unsigned int depth)
{
	if (depth == 2 && begins(n->name, "chosen") && n->bootargs)
		tinyarm_machine.line = n->bootargs;
	else if (depth == 2 && begins(n->name, "memory@") && n->reg)
		take_memory(n);
	else if (depth == 3 && begins(n->name, "cpu@"))
		tinyarm_machine.cpus++;
	else if (is_compatible(n, "arm,gic-v3") && n->reg)
		take_controller(n, true);
	else if ((is_compatible(n, "arm,gic-400") || is_compatible(n, "arm,cortex-a15-gic")) &&
		 n->reg)
		take_controller(n, false);
	else if (is_compatible(n, "arm,armv8-timer") && n->interrupts)
		tinyarm_machine.timer = PPI(n->interrupts + VIRTUAL_TIMER * CELLS_OF_INTERRUPT + 1);
	else if (is_compatible(n, "xen,xen") && n->reg && n->interrupts) {
		tinyarm_machine.free = fdt64(n->reg);
		tinyarm_machine.free_size = fdt64(n->reg + 2);
		tinyarm_machine.events = PPI(n->interrupts + 1);
	}
}

static void note(struct node *n, const char *name, const uint32_t *value, uint32_t size)
{
	if (!strcmp(name, "reg")) {
		n->reg = value;
		n->reg_size = size;
	} else if (!strcmp(name, "compatible")) {
		n->compatible = (const char *)value;
		n->compatible_size = size;
	} else if (!strcmp(name, "interrupts")) {
		n->interrupts = value;
	} else if (!strcmp(name, "bootargs")) {
		n->bootargs = (const char *)value;
	}
}

static const uint32_t *behind(const uint32_t *at, uint32_t bytes)
{
	return at + (bytes + 3) / 4;
}

static void read_nodes(const uint32_t *at, const char *names)
{
	struct node n = { .name = "" };
	unsigned int depth = 0;

	for (;;) {
		uint32_t token = fdt32(at++);

		if ((token == BEGIN_NODE || token == END_NODE) && n.name)
			take(&n, depth);
		switch (token) {
		case BEGIN_NODE:
			n = (struct node){ .name = (const char *)at };
			at = behind(at, (uint32_t)strlen(n.name) + 1);
			depth++;
			break;
		case END_NODE:
			n.name = NULL;
			depth--;
			break;
		case PROPERTY:
			if (n.name)
				note(&n, names + fdt32(at + 1), at + 2, fdt32(at));
			at = behind(at + 2, fdt32(at));
			break;
		case NOP:
			break;
		default:
			return;
		}
	}
}

bool tinyarm_read_tree(const void *tree)
{
	const uint32_t *head = tree;
	const char *missing = NULL;

	if (fdt32(head) != MAGIC) {
		printf("tiny: no device tree at %p\n", tree);
		return false;
	}
	read_nodes((const uint32_t *)((const char *)tree + fdt32(head + 2)),
		   (const char *)tree + fdt32(head + 3));
	if (!tinyarm_machine.distributor)
		missing = "interrupt controller";
	else if (!tinyarm_machine.free)
		missing = "hypervisor node";
	else if (!tinyarm_machine.timer)
		missing = "timer";
	if (missing)
		printf("tiny: the device tree has no %s\n", missing);
	return !missing;
}
