# SPDX-License-Identifier: GPL-2.0-or-later
"""Bounds hold a figure; tables and JSON show it."""

import json

from tinelib import bench_fork, bench_heap, bench_pv, bounds, plots

GIB = 1 << 30


def heap_row(instructions, size=GIB, strategy="lazy", hypervisor="tine"):
    return {"mem_bytes": size, "strategy": strategy, "hypervisor": hypervisor, "instructions": instructions,
            "boot_instructions": 500_000, "chunks": 11}


def test_limit_of_the_design(tmp_path):
    path = tmp_path / "bounds.json"
    assert bounds.problems("heap", [heap_row(90_000)], path) == []
    assert "limit is 90,000" in bounds.problems("heap", [heap_row(90_001)], path)[0]
    assert bounds.problems("heap", [heap_row(10_000_000, strategy="page")], path) == []
    assert bounds.problems("heap", [heap_row(10_000_000, hypervisor="xen")], path) == []


def test_recorded_bound_allows_five_percent(tmp_path):
    path = tmp_path / "bounds.json"
    bounds.record("heap", [heap_row(1000), heap_row(9, hypervisor="xen")], path)
    assert json.loads(path.read_text()) == {"heap": {f"{GIB}/lazy": 1000}}
    assert bounds.problems("heap", [heap_row(1050)], path) == []
    assert "recorded 1,000" in bounds.problems("heap", [heap_row(1051)], path)[0]


def test_recording_keeps_other_figures(tmp_path):
    path = tmp_path / "bounds.json"
    bounds.record("heap", [heap_row(1000)], path)
    bounds.record("pv", [{"call": "xen_version", "hypervisor": "tine", "instructions": 80}], path)
    bounds.record("heap", [heap_row(2000, size=4 * GIB)], path)
    assert json.loads(path.read_text()) == {"heap": {f"{GIB}/lazy": 1000, f"{4 * GIB}/lazy": 2000},
                                            "pv": {"xen_version": 80}}


def test_xens_figure_is_a_bound_where_tine_must_be_ahead(tmp_path):
    path = tmp_path / "bounds.json"
    rows = [{"call": "getpid", "hypervisor": name, "instructions": figure} for name, figure in (("xen", 900), ("tine", 890))]
    bounds.record("tls", rows, path)
    assert json.loads(path.read_text()) == {"tls": {"getpid": 890}, "tls-xen": {"getpid": 900}}
    assert bounds.problems("tls", rows, path) == []
    assert "Xen takes 900" in bounds.problems("tls", [{**rows[1], "instructions": 900}], path)[0]
    assert "Xen takes 880" in bounds.problems("tls", [{**rows[0], "instructions": 880}, rows[1]], path)[0]


def test_heap_table_compares():
    text = bench_heap.table([heap_row(15_000_000, strategy="chunk", hypervisor="xen"), heap_row(50_000)])
    line = next(line for line in text.splitlines() if line.startswith("1G"))
    assert line.split() == ["1G", "15,000,000", "-", "-", "50,000", "90,000", "300.0"]


def test_pv_rows_and_table():
    rows = [bench_pv.row_from("xen", "call=xen_version count=2000 ticks=247"),
            bench_pv.row_from("tine", "call=xen_version count=2000 ticks=80"),
            bench_pv.tls_row("tine", "mode=shadow workload=lat_ctx tasks=24 switches=48 hypercalls=120 "
                                     "ticks_per_switch=700")]
    assert rows[2]["call"] == "lat_ctx_shadow" and rows[2]["instructions"] == 700
    assert ["xen_version", "247", "80", "90", "3.1"] in [line.split() for line in bench_pv.table(rows).splitlines()]


def fork_row(instructions, mib=512, strategy="subtree", metric="downtime"):
    return bench_fork.summary(mib << 20, strategy, metric, [instructions])


def process_row(instructions, mib=512, pages="4k", metric="fork_round_1"):
    return bench_fork.summary(mib << 20, f"process-{pages}", metric, [instructions], "linux")


def test_forks_beside_processes():
    rows = [fork_row(500_000, metric="fork_round_1"), fork_row(100_000, metric="reset_round_1"), process_row(50_000_000),
            process_row(1_000_000, pages="2m")]
    assert bench_fork.comparisons(rows) == []
    assert ["512M", "2,000", "10,000", "20", "1,000", "100.0", "2.0", "500.0", "10.0"] in [
        line.split() for line in bench_fork.table(rows).splitlines()]
    assert "a process under Linux takes 500,000" in bench_fork.comparisons([rows[0], process_row(500_000)])[0]


def test_a_figure_may_be_off_by_its_grain(tmp_path):
    path = tmp_path / "bounds.json"
    rows = [{**fork_row(0, metric="first_read_2m"), "resolution": 16}, fork_row(40960, metric="idle_bytes")]
    bounds.record("fork-arm64", rows, path)
    assert bounds.problems("fork-arm64", [{**rows[0], "instructions": 16}, {**rows[1], "instructions": 45056}], path) == []
    assert "recorded 0" in bounds.problems("fork-arm64", [{**rows[0], "instructions": 32}], path)[0]
    assert "recorded 40,960" in bounds.problems("fork-arm64", [{**rows[1], "instructions": 49152}], path)[0]


def test_summary_of_forks():
    row = bench_fork.summary(1 << 29, "subtree", "reset", [10, 30, 20, 90])
    assert (row["instructions"], row["mean"], row["p90"], row["count"]) == (25, 37.5, 90, 4)
    assert bench_fork.summary(1 << 29, "subtree", "reset", range(1, 41))["p90"] == 36


def test_limits_of_forks(tmp_path):
    path = tmp_path / "bounds.json"
    assert bounds.problems("fork", [fork_row(100_000), fork_row(131_072, metric="idle_bytes")], path) == []
    assert "limit is 100,000" in bounds.problems("fork", [fork_row(100_001)], path)[0]
    assert "131,073 bytes" in bounds.problems("fork", [fork_row(131_073, metric="idle_bytes")], path)[0]
    assert "limit is 300,000" in bounds.problems("fork", [fork_row(300_001, metric="reset")], path)[0]


def test_forks_compared():
    good = [fork_row(100), fork_row(200, mib=8192), fork_row(10_000, strategy="run")]
    assert bench_fork.comparisons(good) == []
    assert "twice" in bench_fork.comparisons([fork_row(100), fork_row(201, mib=8192)])[0]
    assert "100 times" in bench_fork.comparisons([fork_row(101), fork_row(10_000, strategy="run")])[0]
    assert ["512M", "100", "10,000", "100,000", "100.0"] in [line.split() for line in bench_fork.table(good).splitlines()]


def test_plot_repeats_byte_for_byte(tmp_path, monkeypatch):
    texts = []
    for name in ("a", "b"):
        monkeypatch.setattr(plots, "PLOTS", tmp_path / name)
        bench_heap.plot([heap_row(10), heap_row(20, size=4 * GIB)])
        texts.append((tmp_path / name / "heap.svg").read_bytes())
    assert texts[0] == texts[1]
