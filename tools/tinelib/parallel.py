# SPDX-License-Identifier: GPL-2.0-or-later
"""Test jobs side by side, their results in the order in which they finish."""

import concurrent.futures
import os

from . import proc
from .ktap import FAIL, Result
from .say import Stop

WORKERS = max(1, min(os.cpu_count() or 1, 4))


def run_jobs(tally, jobs, workers=WORKERS):
    """JOBS are (name, function that returns Results); a job that stops with a message is a failure."""
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        try:
            futures = {pool.submit(function): name for name, function in jobs}
            for future in concurrent.futures.as_completed(futures):
                for result in outcome(futures[future], future):
                    tally.add(result)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            proc.end_all()
            raise


def outcome(name, future):
    try:
        return future.result()
    except Stop as stop:
        return [Result(name, FAIL, str(stop))]
