# SPDX-License-Identifier: GPL-2.0-or-later
# `nm -n` of the image -> assembly with the table that lib/symbols.c searches: offsets from the image's start, where each name
# begins, and the names. Only functions count. Without input the tables are empty, for the first of the two links.
BEGIN {
	print "/* Made from the image's symbols; do not edit. */"
	print "\t.section .rodata.symbols, \"a\""
}
$3 == "image_start" {
	base = substr($1, 9)
}
$2 ~ /^[tTwW]$/ && $3 !~ /^\./ && $1 != last {
	last = $1
	address[n] = $1
	name[n++] = $3
}
END {
	print "\t.balign 4\n\t.globl symbol_count\n\t.hidden symbol_count\nsymbol_count:\n\t.long " n + 0
	print "\t.globl symbol_offsets\n\t.hidden symbol_offsets\nsymbol_offsets:"
	for (i = 0; i < n; i++)
		print "\t.long (0x" substr(address[i], 9) " - 0x" base ") & 0xffffffff"
	print "\t.globl symbol_name_at\n\t.hidden symbol_name_at\nsymbol_name_at:"
	for (i = at = 0; i < n; i++) {
		print "\t.long " at
		at += length(name[i]) + 1
	}
	print "\t.globl symbol_names\n\t.hidden symbol_names\nsymbol_names:"
	for (i = 0; i < n; i++)
		print "\t.asciz \"" name[i] "\""
	print "\t.section .note.GNU-stack, \"\", @progbits"
}
