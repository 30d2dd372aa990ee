# SPDX-License-Identifier: GPL-2.0-or-later
"""`tine test`: suites by name, one count at the end."""

from . import suite_bench, suite_hostile, suite_host, suite_machines, suite_pytest, suite_static
from .ktap import FAIL, Result
from .say import Stop
from .tally import Tally

# In this order, cheap ones first, so that a broken tree is known soon.
SUITES = {
    "static": suite_static.run,
    "tools": suite_pytest.run_tools,
    "host": suite_host.run,
    "selftest": suite_machines.run_selftests,
    "guests": suite_machines.run_guests,
    "hostile": suite_hostile.run,
    "qemu": suite_pytest.run_qemu,
    "bench": suite_bench.run,
}
SOAK = ("host", "selftest", "hostile")

HELP = """static: layering, style, format; tools: this command's own tests; host: unit tests and fuzzers;
selftest: inside the hypervisor, on several machines; guests: the tiny guest on Tine and on Xen; qemu: machines driven by
their console; bench: figures against their bounds; all: these; soak: host and selftest for much longer"""


def add_arguments(parser):
    parser.add_argument("suites", nargs="*", default=["all"], choices=(*SUITES, "all", "soak"), metavar="SUITE",
                        help=HELP + " (default: all)")


def main(options):
    soak = "soak" in options.suites
    names = [name for name in SUITES if name in options.suites or "all" in options.suites
             or (soak and name in SOAK)]
    tally = Tally()
    for name in names:
        tally.say(f"--- {name}")
        try:
            SUITES[name](tally, soak)
        except Stop as stop:
            # What cannot be built or fetched fails its suite; the others still tell what they can.
            tally.add(Result(f"{name}: could not run", FAIL, str(stop)))
    return tally.finish()
