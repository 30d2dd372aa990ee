# SPDX-License-Identifier: GPL-2.0-or-later
"""Results read from TAP and KTAP, and the count made of them."""

import io

import pytest

from tinelib.ktap import FAIL, PASS, SKIP, Ktap, Result
from tinelib.tally import Tally


def read(text):
    tap = Ktap("x")
    for line in text.splitlines():
        tap.line(line)
    return [(result.name, result.state) for result in tap.finish()]


def test_cmocka_style():
    assert read("1..2\nok 1 - first\nnot ok 2 - second\n") == [("x: first", PASS), ("x: second", FAIL)]


def test_several_groups_of_one_program():
    assert read("1..1\nok 1 - a\n1..1\nok 1 - b\n") == [("x: a", PASS), ("x: b", PASS)]


@pytest.mark.parametrize("prefix", ["(TINE) ", "(d0) ", "(XEN) [0000000011aa034a] ", "(d12) ", ""])
def test_prefixes_of_consoles(prefix):
    assert read(f"{prefix}KTAP version 1\n{prefix}1..1\n{prefix}ok 1 heap.drain\n") == [("x: heap.drain", PASS)]


def test_skip_is_not_a_pass():
    assert read("1..1\nok 1 a # SKIP no SRAT here\n") == [("x: a", SKIP)]


def test_remarks_explain_a_failure():
    tap = Ktap("x")
    for line in ("1..1", "# a.c:3: expected 1", "not ok 1 a"):
        tap.line(line)
    assert tap.finish()[0].why == "a.c:3: expected 1"


@pytest.mark.parametrize("text, why", [("", "no plan"), ("1..3\nok 1 a\n", "planned 3 tests, saw 1"),
                                       ("1..1\nok 1 a\nok 2 b\n", "planned 1 tests, saw 2")])
def test_dying_half_way_is_a_failure(text, why):
    tap = Ktap("x")
    for line in text.splitlines():
        tap.line(line)
    assert any(result.state == FAIL and why in result.why for result in tap.finish())


def test_nested_results_count_once():
    assert read("1..1\n    1..2\n    ok 1 inner\n    not ok 2 inner\nnot ok 1 outer\n") == [("x: outer", FAIL)]


def test_words_that_only_look_like_results():
    assert read("1..1\nokay then\nok, 1 left\nok 1 real\n") == [("x: real", PASS)]


@pytest.mark.parametrize("states, last, status", [
    ([PASS, PASS], "2 passed, 0 failed", 0), ([PASS, FAIL], "1 passed, 1 failed", 1),
    ([PASS, SKIP], "1 passed, 0 failed, 1 skipped", 0), ([], "0 passed, 0 failed", 1),
    ([SKIP], "0 passed, 0 failed, 1 skipped", 1),
])
def test_last_line_is_the_count(states, last, status):
    out = io.StringIO()
    tally = Tally(out)
    for state in states:
        tally.add(Result("t", state))
    assert tally.finish() == status
    assert out.getvalue().splitlines()[-1] == last
