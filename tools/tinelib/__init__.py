# SPDX-License-Identifier: GPL-2.0-or-later
"""The parts of the `tine` command: one module a job, none of which runs anything when imported."""
