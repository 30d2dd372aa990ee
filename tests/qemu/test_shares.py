# SPDX-License-Identifier: GPL-2.0-or-later
"""CPU time by weight, and promptness: on one CPU and on two, by the hypervisor's own account of each vCPU.

On one CPU instructions are nanoseconds (icount), so what the host does besides has no part in the figures. With two, that
mode of QEMU 7.2 lets one CPU run until its next timer event and the other not at all; so there the clock is the host's.
"""

import re

import pytest
from whole_boot import boot, build, module

LENGTH = {1: 3000, 2: 6000}  # ms, by CPUs
PROMPT = 2_000_000  # ns
ACCOUNT = re.compile(r"\(d(\d+)\) load: ran=(\d+) waited=(\d+) slept=(\d+) of=(\d+)")
TICKS = re.compile(r"\(d(\d+)\) load: ticks=(\d+) latest=(\d+)")


def ideal(weights, cpus):
    """Shares of one CPU for vCPUs that always work: by weight, none above a whole one, what that leaves to the others."""
    shares, left, open_ = [0.0] * len(weights), cpus, set(range(len(weights)))
    while open_:
        level = left / sum(weights[i] for i in open_)
        full = {i for i in open_ if weights[i] * level >= 1}
        if not full:
            for i in open_:
                shares[i] = weights[i] * level
            break
        for i in full:
            shares[i] = 1.0
        left -= len(full)
        open_ -= full
    return shares


def run(folder, words_and_weights, cpus):
    """Boots a domain for each (word, weight); returns the console and each domain's share of a CPU."""
    begin = 500 if cpus == 1 else 3000  # a loaded host takes its time
    modules = [module(folder, "tiny", build.tiny_guest().read_bytes(), "tiny")]
    for number, (word, weight) in enumerate(words_and_weights, 1):
        text = (f'name = "d{number}"\nmemory = 16\nkernel = "tiny"\ncpu_weight = {weight}\n'
                f'extra = "{word} from={begin} until={begin + LENGTH[cpus]}"\n')
        modules.append(module(folder, f"d{number}.cfg", text, f"d{number}.cfg"))
    outcome = boot("bootscrub=off", modules=modules, smp=cpus, icount=cpus == 1)
    assert outcome.status == 0, outcome.verdict.summary
    said = "\n".join(outcome.lines)
    shares = {int(found[1]): int(found[2]) / int(found[5]) for found in ACCOUNT.finditer(said)}
    assert len(shares) == len(words_and_weights)
    return said, [shares[number] for number in sorted(shares)]


@pytest.mark.parametrize("cpus, weights", [(1, (256, 512)), (2, (256, 256, 256)), (2, (256, 512, 1024))])
def test_shares_follow_weights_and_a_sleeper_is_prompt(tmp_path, cpus, weights):
    # A host that is away for long while one CPU runs, and not the other, disturbs what has two: then once more.
    for _ in range(1 if cpus == 1 else 4):
        said, (*got, sleepers) = run(tmp_path, [*(("spin", weight) for weight in weights), ("tick", 128)], cpus)
        wanted = ideal(weights, cpus - sleepers)
        fair = all(should * 0.95 < share < should * 1.05 for share, should in zip(got, wanted))
        if fair:
            break
    assert fair, (got, wanted)
    _, ticks, latest = map(int, TICKS.search(said).groups())
    assert ticks > LENGTH[cpus] / 60
    # With two CPUs it would measure how long the host was away; tests/host/test_fair_shares.c looks at them.
    assert cpus > 1 or latest < PROMPT
