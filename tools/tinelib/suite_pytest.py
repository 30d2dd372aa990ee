# SPDX-License-Identifier: GPL-2.0-or-later
"""The pytest suites: tests/tools (the command itself) and tests/qemu (whole machines, driven by their console)."""

import xml.etree.ElementTree as ElementTree

from . import deps, proc
from .ktap import FAIL, PASS, SKIP, Result
from .paths import BUILD, TREE, made

LIMIT = 1800


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


def run_folder(tally, folder):
    deps.ensure("tests", "bench")
    report = made(BUILD / "test") / f"pytest-{folder.replace('/', '-')}.xml"
    report.unlink(missing_ok=True)
    status, output = proc.capture(["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                                   f"--junitxml={report}", TREE / folder], LIMIT, cwd=TREE)
    report.with_suffix(".log").write_text(output, encoding="utf-8")
    if not report.exists():
        tally.add(Result(f"{folder}: pytest", FAIL, f"status {status}: {output.strip()[-200:]}"))
        return
    results = list(results_of(folder, report))
    for result in results:
        tally.add(result)
    if status != 0 and not any(result.state == FAIL for result in results):
        tally.add(Result(f"{folder}: pytest", FAIL, f"ended with status {status}"))


def run_tools(tally):
    run_folder(tally, "tests/tools")


def run_qemu(tally):
    run_folder(tally, "tests/qemu")
