#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Starts tools/tine on a machine that may not even have python3 yet: that one package is installed here, all
# others by the command itself (tools/tinelib/deps.py).
set -eu

python=/usr/bin/python3
if [ ! -x "$python" ]; then
	root=
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null || { echo "tine: python3 is missing, and there is no sudo to install it" >&2; exit 2; }
		root=sudo
	fi
	echo "tine: installing python3 with apt-get${root:+ (sudo)}" >&2
	install="$root apt-get -q -y -o DPkg::Lock::Timeout=600 install --no-install-recommends python3"
	DEBIAN_FRONTEND=noninteractive $install >&2 ||
		{ $root apt-get -q update >&2 && DEBIAN_FRONTEND=noninteractive $install >&2; } ||
		{ echo "tine: cannot install python3" >&2; exit 2; }
fi
exec "$python" "$(dirname "$0")/tine" "$@"
