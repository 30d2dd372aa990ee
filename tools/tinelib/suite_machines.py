# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole machines: Tine's self-tests on several shapes, and the tiny guest on Tine and on Debian's Xen.

Each machine's console is kept in build/test/NAME.log.  A machine that prints all its results but then ends badly
is one more failure; so is one whose results do not match its plan.
"""

from dataclasses import dataclass, field
from pathlib import Path

from . import build, cache, guests, ktap
from .console import SWITCH
from .ktap import FAIL, PASS, SKIP, Ktap, Result
from .iso import BootPlan
from .machine import CPU_MODELS, Machine
from .machine_arm64 import CPU_MODEL as CPU_ARM64
from .machine_arm64 import Virt
from .parallel import run_jobs
from .paths import BUILD, TREE, made
from .run import ARM64_OPTIONS, NO_SCRUB, TINE_OPTIONS, XEN_ARM64_OPTIONS, XEN_OPTIONS, booted, watch
from .say import EXIT_OK
from .sizes import parse_numa, parse_size
from .verdict import Verdict

LIMITS = {"silence": 240.0, "timeout": 1200.0}
INPUTS = 3    # that the keyboard goes round, with two domains at most
XEN_DESCRIPTORS = TREE / "tests" / "guest" / "descriptors.xen-4.17"


LINUX_LINE, LINUX_SAYS = "echo $((6 * 7)) | sed s/4/forty-/", "forty-2"


@dataclass
class Shape:
    """A machine that the self-tests run on."""

    name: str
    mem: str
    smp: int = 1
    numa: str = None
    firmware: str = "bios"
    variant: str = "release"
    compress: bool = False
    options: str = ""
    arch: str = "x86_64"
    cpu: str = None
    gic: int = 3        # arm64


SHAPES = [
    Shape("1 CPU, 256M, BIOS", "256M"),
    Shape("1 CPU, 256M, BIOS, debug build, gzipped", "256M", variant="debug", compress=True),
    Shape("4 CPUs, 2 nodes, 1G, UEFI, debug build", "1G", smp=4, numa="2", firmware="uefi", variant="debug"),
    Shape("1 CPU, 512M, direct PVH", "512M", firmware="pvh"),
    Shape("2 CPUs, 3 nodes of 3G, 512M and nothing, distances", "3584M", smp=2,
          numa="3G,512M,0@10:20:40/20:10:30/40:30:10"),
    Shape("4 CPUs, 8 nodes, 512G", "512G", smp=4, numa="8", options=NO_SCRUB),
    Shape("arm64, 1 CPU, 256M, GICv2", "256M", arch="arm64", gic=2),
    Shape("arm64, 4 CPUs, 2 nodes, 1G, GICv3, all features, debug build", "1G", smp=4, numa="2", variant="debug",
          arch="arm64", cpu="max"),
    Shape("arm64, 2 CPUs, 3 nodes of 3G, 512M and nothing, distances", "3584M", smp=2,
          numa="3G,512M,0@10:20:40/20:10:30/40:30:10", arch="arm64", cpu="cortex-a76"),
    Shape("arm64, 2 CPUs, 2 nodes, 1G, UEFI and GRUB", "1G", smp=2, numa="2", firmware="uefi", arch="arm64"),
    Shape("arm64, 4 CPUs, 8 nodes, 512G, GICv2", "512G", smp=4, numa="8", options=NO_SCRUB, arch="arm64", gic=2),
]


@dataclass
class Boot:
    """What one boot gave: its tests, its verdict, its lines."""

    tests: Ktap
    verdict: Verdict
    lines: list = field(default_factory=list)
    stuck: list = field(default_factory=list)  # domains that were told to end, because nothing was heard of any

    def results(self, name):
        results = self.tests.finish()
        if self.verdict.status != EXIT_OK and not any(result.state == FAIL for result in results):
            results.append(Result(f"{name}: ending", FAIL, self.verdict.summary))
        return results


def log_path(name):
    letters = "".join(letter if letter.isalnum() else "-" for letter in name)
    return made(BUILD / "test") / f"{letters}.log"


def boot(name, plan, machine, compress=False, may_hang=()):
    """Boots PLAN to its end and keeps the console. If nothing is heard any more, the hypervisor is asked who runs, and told to end
    MAY_HANG, domains by number."""
    result = Boot(Ktap(name), None)

    def on_line(text):
        result.lines.append(text)
        result.tests.line(text)

    def end_them():
        result.stuck = list(may_hang)
        ending = ":list\r" + "".join(f":destroy {domain}\r" for domain in may_hang)
        qemu.type((SWITCH + ending) * INPUTS)

    with open(log_path(name), "w", encoding="utf-8") as log, \
         booted(plan, machine, compress=compress, out=log, **LIMITS) as qemu:
        qemu.when_silent = end_them if may_hang else None
        result.verdict = watch(qemu, on_line=on_line, verdict=Verdict(guest=bool(plan.modules)))
    return result


def selftest(shape):
    mem = parse_size(shape.mem, "shape")
    numa = parse_numa(shape.numa, mem) if shape.numa else None
    if shape.arch == "arm64":
        machine = Virt(mem=mem, smp=shape.smp, numa=numa, gic=shape.gic, cpu=shape.cpu or CPU_ARM64,
                       firmware="uefi" if shape.firmware == "uefi" else "image")
    else:
        machine = Machine(mem=mem, smp=shape.smp, numa=numa, firmware=shape.firmware)
    standard = ARM64_OPTIONS if shape.arch == "arm64" else TINE_OPTIONS
    plan = BootPlan("Tine", build.image_of(shape.variant, shape.arch), f"{standard} selftest {shape.options}".strip())
    name = f"selftest, {shape.name}"
    return boot(name, plan, machine, shape.compress).results(name)


def run_selftests(tally):
    for arch in build.ARCHES:
        for variant in build.VARIANTS:
            build.hypervisor(variant, arch)
    run_jobs(tally, [(f"selftest, {shape.name}", lambda s=shape: selftest(s)) for shape in SHAPES])


def tiny_plan(hypervisor, args="", variant="release"):
    if hypervisor == "xen":
        return BootPlan("Debian's Xen", cache.xen_image(), XEN_OPTIONS, guests.modules("tiny", "xen", args))
    return BootPlan("Tine", build.image_of(variant), TINE_OPTIONS, guests.modules("tiny", "tine", args))


def tiny(name, hypervisor, firmware="bios", variant="release"):
    """The guest's functional tests."""
    machine = Machine(mem=256 << 20, cpu=CPU_MODELS[hypervisor], firmware=firmware)
    return boot(name, tiny_plan(hypervisor, "", variant), machine).results(name)


def second_vcpu(name, hypervisor, variant="release"):
    """What takes two vCPUs on one CPU."""
    plan = tiny_plan(hypervisor, "test only=nmi,second-vcpu one-cpu", variant)
    plan.options += " dom0_max_vcpus=2"
    return boot(name, plan, Machine(mem=256 << 20, cpu=CPU_MODELS[hypervisor])).results(name)


def tiny_arm64(name, hypervisor, configured=True, gic=3, variant="release"):
    """The functional tests of the guest for arm64, with two vCPUs on one CPU; as the initial domain, or CONFIGURED."""
    args, options = "test", " dom0_max_vcpus=2"
    if hypervisor == "xen":
        plan = BootPlan("Debian's Xen", cache.xen_image_arm64(), XEN_ARM64_OPTIONS + options, guests.modules("tiny", "xen", args, arch="arm64"))
    elif configured:
        plan = BootPlan("Tine", build.image_of(variant, "arm64"), ARM64_OPTIONS, guests.tiny_arm64_modules(args, 2))
    else:
        plan = BootPlan("Tine", build.image_of(variant, "arm64"), ARM64_OPTIONS + options, guests.modules("tiny", "tine", args, arch="arm64"))
    return boot(name, plan, Virt(mem=512 << 20, gic=gic)).results(name)


def descriptors(name, hypervisor):
    """The guest's table of descriptors must get the verdicts that were recorded on Xen, line by line."""
    machine = Machine(mem=256 << 20, cpu=CPU_MODELS[hypervisor])
    result = boot(name, tiny_plan(hypervisor, "descriptors"), machine)
    seen = [line[line.index("desc: "):].strip() for line in result.lines if "desc: " in line]
    wanted = [line.strip() for line in Path(XEN_DESCRIPTORS).read_text(encoding="utf-8").splitlines()
              if line.startswith("desc: ")]
    results = [Result(f"{name}: {line.split(' in=')[0][6:]}", PASS if line in seen else FAIL,
                      "" if line in seen else f"wanted {line}") for line in wanted]
    if len(seen) != len(wanted):
        results.append(Result(f"{name}: count", FAIL, f"{len(wanted)} recorded, {len(seen)} seen"))
    if result.verdict.status != EXIT_OK:
        results.append(Result(f"{name}: ending", FAIL, result.verdict.summary))
    return results


def linux(name, lines, variant="release"):
    """Debian's kernel with busybox, as a PV guest of Tine's: reaches its shell and does what it is told."""
    plan = BootPlan("Tine", build.image_of(variant), TINE_OPTIONS, guests.modules("linux-pv", "tine"))
    seen = []
    with open(log_path(name), "w", encoding="utf-8") as log, \
         booted(plan, Machine(mem=512 << 20), out=log, **LIMITS) as qemu:
        verdict = watch(qemu, lines, on_line=seen.append)
    good = verdict.status == EXIT_OK and any(LINUX_SAYS in line for line in seen)
    return [Result(name, PASS if good else FAIL, "" if good else verdict.summary)]


def same_tests(name, first, second):
    """Both hypervisors must have run the same tests, so that neither passes by leaving some out."""
    names = [{result.name.split(": ", 1)[1] for result in results if result.state != SKIP}
             for results in (first, second)]
    if not all(names):
        return Result(name, FAIL, "one side ran no tests")
    different = sorted(names[0] - names[1])
    return Result(name, PASS if not different else FAIL, f"not run on Tine: {', '.join(different)}" if different else "")


def run_guests(tally):
    for arch in build.ARCHES:
        for variant in build.VARIANTS:
            build.hypervisor(variant, arch)
    build.tiny_guest()
    build.tiny_arm64()
    for fetch in (cache.xen_image, cache.xen_image_arm64, cache.linux_kernel, guests.ramdisk):
        fetch()
    kept = {}

    def keep(key, function, *arguments):
        kept[key] = function(*arguments)
        return kept[key]

    run_jobs(tally, [
        ("tiny on Tine", lambda: keep("tine", tiny, "tiny on Tine", "tine")),
        ("tiny on Xen", lambda: keep("xen", tiny, "tiny on Xen", "xen")),
        ("tiny on Tine, UEFI, debug", lambda: tiny("tiny on Tine, UEFI, debug", "tine", "uefi", "debug")),
        ("Linux on Tine", lambda: linux("Linux on Tine", [LINUX_LINE])),
        ("Linux on Tine, debug", lambda: linux("Linux on Tine, debug", [LINUX_LINE], "debug")),
        ("second vCPU on Tine, debug", lambda: second_vcpu("second vCPU on Tine, debug", "tine", "debug")),
        ("second vCPU on Tine", lambda: second_vcpu("second vCPU on Tine", "tine")),
        ("second vCPU on Xen", lambda: second_vcpu("second vCPU on Xen", "xen")),
        ("descriptors on Tine", lambda: descriptors("descriptors on Tine", "tine")),
        ("descriptors on Xen", lambda: descriptors("descriptors on Xen", "xen")),
        ("tiny on Tine, arm64", lambda: keep("tine-arm64", tiny_arm64, "tiny on Tine, arm64", "tine")),
        ("tiny on Xen, arm64", lambda: keep("xen-arm64", tiny_arm64, "tiny on Xen, arm64", "xen")),
        ("tiny on Tine, arm64, GICv2, debug",
         lambda: tiny_arm64("tiny on Tine, arm64, GICv2, debug", "tine", configured=False, gic=2, variant="debug")),
    ])
    tally.add(same_tests("tiny: what ran on Xen ran on Tine", kept.get("xen", []), kept.get("tine", [])))
    tally.add(same_tests("tiny, arm64: what ran on Xen ran on Tine", kept.get("xen-arm64", []), kept.get("tine-arm64", [])))
