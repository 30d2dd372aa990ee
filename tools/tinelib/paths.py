# SPDX-License-Identifier: GPL-2.0-or-later
"""Where things lie in the tree and in build/."""

import os
from pathlib import Path

from .say import Stop

TREE = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TINE_BUILD", TREE / "build"))
HOST_BIN = BUILD / "host"
BENCH_OUT = BUILD / "bench"
PLOTS = TREE / "docs" / "bench"
BOUNDS = PLOTS / "bounds.json"


def cache_dir():
    """The package cache, made if need be; TINE_CACHE moves it."""
    return made(Path(os.environ.get("TINE_CACHE") or BUILD / "cache"))


def made(folder):
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Stop(f"cannot make {folder}: {error.strerror}") from error
    return folder


def readable(name, what):
    """NAME as a path, if it is a file that can be read."""
    path = Path(name)
    try:
        with open(path, "rb") as file:
            file.read(1)
    except OSError as error:
        raise Stop(f"{what} {name}: {error.strerror}") from error
    return path
