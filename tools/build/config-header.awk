# SPDX-License-Identifier: GPL-2.0-or-later
# Kconfig and .config, in this order -> a C header that defines every boolean of Kconfig to 1 or 0 and other values as they are.
FILENAME ~ /Kconfig$/ {
	if ($1 == "config")
		name = $2
	else if ($1 == "bool" && name != "")
		value["CONFIG_" name] = 0
	next
}
/^CONFIG_[A-Z0-9_]+=/ {
	at = index($0, "=")
	setting = substr($0, at + 1)
	value[substr($0, 1, at - 1)] = setting == "y" ? 1 : setting
}
END {
	print "/* Made from Kconfig and .config; do not edit. */"
	for (name in value)
		print "#define " name " " value[name] | "LC_ALL=C sort"
}
