# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line: subcommands, and what every way of ending turns into."""

import argparse
import importlib
import sys

from .say import EXIT_INTERRUPTED, EXIT_USAGE, Stop

SUBCOMMANDS = {
    "run": ("run", "boot a machine with Tine (or Debian's Xen) and a guest; exit with the guest's verdict"),
    "test": ("testing", "run tests: host, selftest, guests, or all"),
    "bench": ("bench", "measure in instructions, with Debian's Xen beside Tine"),
    "demo": ("demo", "watch forks at work: a fuzzer of whole machines"),
    "iso": ("iso", "write a bootable image (GRUB; BIOS and UEFI)"),
    "deps": ("deps", "install the Debian packages that the tree needs"),
    "lines": ("lines", "count how much of the source is generic, and how much an architecture's own"),
    "picture": ("picture", "draw the console of a real run for the README"),
}

EPILOG = """exit status: 0 all well, 1 a guest, test or bound failed, 2 wrong usage or something missing,
3 a hang or time-out, 130 interrupted"""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"{self.prog}: {message}", file=sys.stderr)
        sys.exit(EXIT_USAGE)


def parse(arguments):
    parser = Parser(prog="tine", description="Builds, runs, tests and measures the Tine hypervisor.", epilog=EPILOG,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    for name, (module, help_text) in SUBCOMMANDS.items():
        part = importlib.import_module(f".{module}", __package__)
        command = commands.add_parser(name, help=help_text, description=help_text.capitalize() + ".", epilog=EPILOG)
        part.add_arguments(command)
        command.set_defaults(main=part.main)
    return parser.parse_args(arguments)


def main(arguments):
    from .run import end_on_signals
    try:
        end_on_signals()
        options = parse(arguments)
        return options.main(options)
    except Stop as stop:
        print(f"tine: {stop}", file=sys.stderr)
        return stop.status
    except KeyboardInterrupt:
        print("tine: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        return EXIT_INTERRUPTED
