# SPDX-License-Identifier: GPL-2.0-or-later
"""The checks of sources find what they are there for."""

import pytest

from tinelib import housestyle, layering

ARCH_H = "/* SPDX-License-Identifier: GPL-2.0-or-later */\n/* asm/barrier.h is part of it */\n"
MARK = "/* SPDX-License-Identifier: GPL-2.0-or-later */\n"


@pytest.mark.parametrize("name, line", [
    ("mm/a.c", "#include <tine/domain.h>"), ("lib/a.c", "#include <tine/heap.h>"), ("sched/a.c", "#include <tine/hypercall.h>"),
    ("mm/a.c", '#include "../sched/internal.h"'), ("mm/a.c", "#include <asm/pv.h>"), ("mm/a.c", "#include <tine/new.h>"),
    ("include/tine/heap.h", "#include <tine/domain.h>"), ("include/tine/heap.h", '#include "page.h"'),
    ("arch/x86/a.c", '#include "../../mm/internal.h"'), ("include/tine/new.h", ""), ("mm/sub/b.h", "# include <tine/vcpu.h>"),
])
def test_layering_refuses(repository, name, line):
    assert layering.problems(repository({"include/tine/arch.h": ARCH_H, name: MARK + line + "\n"}))


@pytest.mark.parametrize("name, line", [
    ("mm/a.c", "#include <tine/heap.h>"), ("mm/a.c", "#include <tine/list.h>"), ("boot/a.c", "#include <tine/domain.h>"),
    ("mm/a.c", "#include <asm/barrier.h>"), ("mm/a.c", '#include "internal.h"'), ("lib/a.c", "#include <tine/arch.h>"),
    ("arch/x86/a.c", "#include <tine/hypercall.h>"), ("arch/x86/a.c", "#include <asm/pv.h>"),
    ("abi/a.c", "#include <xen/xen.h>"), ("tests/host/a.c", '#include "../../mm/internal.h"'),
])
def test_layering_allows(repository, name, line):
    assert layering.problems(repository({"include/tine/arch.h": ARCH_H, name: MARK + line + "\n"})) == []


def check(name, tree):
    return housestyle.CHECKS[name](tree)


def test_same_name_twice(repository):
    tree = repository({"mm/heap.c": MARK, "sched/heap.c": MARK})
    assert len(check("file names are unique", tree)) == 1


def test_counterparts_may_share_names(repository):
    tree = repository({"arch/x86/timer.c": MARK, "arch/arm64/timer.c": MARK, "include/tine/domain.h": MARK,
                       "arch/x86/include/asm/domain.h": MARK, "mm/internal.h": MARK, "boot/internal.h": MARK})
    assert check("file names are unique", tree) == []


def test_licence_missing(repository):
    assert check("every file names its licence", repository({"lib/a.c": "int x;\n", "lib/b.c": MARK})) == \
        ["lib/a.c: no licence in the first two lines"]


@pytest.mark.parametrize("line", ["#if 0", "#ifdef CONFIG_X", "# ifndef X", "#elif X"])
def test_conditional(repository, line):
    tree = repository({"mm/a.c": f"{MARK}{line}\n", "mm/a.h": f"{MARK}{line}\n", "tests/host/b.c": f"{MARK}{line}\n"})
    assert [problem.split(":")[0] for problem in check("no #if in .c files", tree)] == ["mm/a.c"]


def test_lengths(repository):
    body = "void f(void)\n{\n" + "\tx();\n" * 90 + "}\n"
    tree = repository({"mm/a.c": MARK + body, "mm/b.h": MARK + "\n" * 200, "mm/c.c": MARK + "\n" * 501,
                       "mm/d.c": MARK + body.replace("\tx();\n" * 90, "\tx();\n" * 50)})
    names = {problem.split(":")[0] for problem in check("headers, files and functions are short", tree)}
    assert names == {"mm/a.c", "mm/b.h", "mm/c.c"}
