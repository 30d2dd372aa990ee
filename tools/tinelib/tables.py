# SPDX-License-Identifier: GPL-2.0-or-later
"""Plain-text tables with numbers aligned to the right."""


def number(value):
    """VALUE with thousands separators; a dash where there is none."""
    if value is None:
        return "-"
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"


def ratio(above, below):
    return f"{above / below:,.1f}" if above and below else "-"


def render(title, header, rows):
    """Text of a table: the first column to the left, all others to the right."""
    cells = [header, *rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = [title]
    for index, row in enumerate(cells):
        first = row[0].ljust(widths[0])
        rest = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append("  ".join([first, *rest]).rstrip())
        if index == 0:
            lines.append("  ".join("-" * width for width in widths))
    return "\n".join(lines)
