# SPDX-License-Identifier: GPL-2.0-or-later
"""The initial domain maps another's frames, as a control domain does; and the other ends meanwhile."""

import pytest

from dialog import config, talk, tiny  # noqa: F401

GOOD = (33, None)  # isa-debug-exit's


def two(talk, tiny, config, maps, lends, smp, variant="release"):
    console = talk(config("control", extra=f"foreign-maps {maps}", initial=1), config("one", extra=f"foreign-lends {lends}"),
                   tiny(), smp=smp, options="consistency", variant=variant)
    status = console.status()
    text = "\n".join(console.lines)
    assert "tiny: RESULT failure" not in text
    assert "(d1) tiny: RESULT success" in text
    assert "consistency: 0 differences" in text
    assert status == GOOD
    return text


@pytest.mark.parametrize("smp,variant", ((1, "release"), (2, "release"), (2, "debug")))
def test_frames_and_tables_of_another_domain(talk, tiny, config, smp, variant):
    two(talk, tiny, config, "", "", smp, variant)


@pytest.mark.parametrize("variant", ("release", "debug"))
def test_a_mapped_frame_outlives_its_owner(talk, tiny, config, variant):
    text = two(talk, tiny, config, "outlives", "foreign-leaves", 1, variant)
    assert "Domain 1 has ended; others still hold 2 of its frames" in text
