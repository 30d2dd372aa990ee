# SPDX-License-Identifier: GPL-2.0-or-later
"""The pytest suites: tests/tools (the command itself) and tests/qemu (whole machines, driven by their console)."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from . import build, cache, deps, proc
from .ktap import FAIL, PASS, SKIP, Result
from .parallel import run_jobs
from .paths import BUILD, TREE, made

LIMIT = 3600    # seconds, for one file or folder
NEED_ALL_CPUS = ("test_linux_shares.py", "test_shares.py")


def results_of(folder, report):
    """Results from pytest's JUnit report."""
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{folder}: {case.get('classname', '').rsplit('.', 1)[-1]}.{case.get('name')}"
        bad = [part for part in case if part.tag in ("failure", "error")]
        skipped = [part for part in case if part.tag == "skipped"]
        if bad:
            yield Result(name, FAIL, (bad[0].get("message") or "").splitlines()[0][:200])
        elif skipped:
            yield Result(name, SKIP, (skipped[0].get("message") or "").splitlines()[0][:200])
        else:
            yield Result(name, PASS)


def run_path(path):
    """The results of the tests in PATH, a folder or file below the tree."""
    report = made(BUILD / "test") / f"pytest-{path.replace('/', '-').removesuffix('.py')}.xml"
    report.unlink(missing_ok=True)
    status, output = proc.capture(["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                                   f"--junitxml={report}", TREE / path], LIMIT, cwd=TREE)
    report.with_suffix(".log").write_text(output, encoding="utf-8")
    if not report.exists():
        return [Result(f"{path}: pytest", FAIL, f"status {status}: {output.strip()[-200:]}")]
    results = list(results_of(Path(path).parts[0] + "/" + Path(path).parts[1], report))
    if status != 0 and not any(result.state == FAIL for result in results):
        results.append(Result(f"{path}: pytest", FAIL, f"ended with status {status}"))
    return results


def run_tools(tally):
    deps.ensure("tests", "bench")
    for result in run_path("tests/tools"):
        tally.add(result)


def prepare():
    """What tests of several files build or fetch, so that no two do it at the same time."""
    deps.ensure("tests", "bench", "machine", "arm64")
    for source in cache.SOURCES:
        cache.unpacked(source)
    for arch in build.ARCHES:
        for variant in build.VARIANTS:
            build.hypervisor(variant, arch)
    for program in (build.tiny_guest, build.tiny_pvh, build.tiny_arm64, build.user32):
        program()
    for arch in build.ARCHES:
        build.tine_fork(arch)


def run_qemu(tally):
    """File by file, as many side by side as there are CPUs; those that measure how CPUs are shared have them all."""
    prepare()
    files = sorted(path.name for path in (TREE / "tests/qemu").glob("test_*.py"))
    jobs = {name: (name, lambda path=f"tests/qemu/{name}": run_path(path)) for name in files}
    run_jobs(tally, [jobs[name] for name in files if name not in NEED_ALL_CPUS])
    run_jobs(tally, [jobs[name] for name in files if name in NEED_ALL_CPUS], workers=1)
