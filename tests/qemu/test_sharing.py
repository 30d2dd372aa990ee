# SPDX-License-Identifier: GPL-2.0-or-later
"""The initial domain shares frames of two PVH guests, which go on writing to them."""

import pytest

from dialog import config, talk, tiny  # noqa: F401
from tinelib import build
from tinelib.iso import Module

GOOD = (33, None)  # isa-debug-exit's


@pytest.mark.parametrize("smp,variant", ((1, "release"), (1, "debug")))
def test_equal_pages_of_two_guests(talk, tiny, config, smp, variant):
    guests = [config(name, type="pvh", kernel="tinypvh", memory=16, extra="equal") for name in ("one", "two")]
    console = talk(config("control", extra="sharing", initial=1), *guests, tiny(), Module(build.tiny_pvh(), "tinypvh"),
                   smp=smp, options="consistency", variant=variant)
    status = console.status()
    text = "\n".join(console.lines)
    assert "tiny: RESULT failure" not in text
    assert text.count("tiny: RESULT success") == 3
    assert "consistency: 0 differences" in text
    assert status == GOOD
