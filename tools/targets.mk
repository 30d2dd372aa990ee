# SPDX-License-Identifier: GPL-2.0-or-later
# What `make` hands to the tine command.  ARGS="..." passes options on: make run ARGS="--firmware uefi".
.PHONY: run check bench soak iso deps

run check bench soak iso deps: export MAKEFLAGS :=
run:
	@tools/bootstrap.sh run $(ARGS)
check:
	@tools/bootstrap.sh test all $(ARGS)
soak:
	@tools/bootstrap.sh test --soak host $(ARGS)
bench:
	@tools/bootstrap.sh bench all $(ARGS)
iso:
	@tools/bootstrap.sh iso $(ARGS)
deps:
	@tools/bootstrap.sh deps --fetch $(ARGS)
