# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a user types:  make run | make check | make bench      (they install what is missing)
# What a developer types as well: make [ARCH=x86_64] [VARIANT=release|debug] [V=1] [O=build], defconfig, menuconfig,
# savedefconfig, compile_commands.json, format, format-check, guest, hosttests, soak, iso, clean.
#
# The image is built out of tree in $(O)/$(ARCH) (release) or $(O)/$(ARCH)-$(VARIANT). Each folder lists its objects in objs.mk.

MAKEFLAGS += -rR --no-print-directory
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:

O ?= build
VARIANT ?= release
HOST_ARCH := $(patsubst aarch64,arm64,$(shell uname -m))
ARCH ?= x86_64
SRCARCH := $(if $(filter x86_64,$(ARCH)),x86,$(ARCH))

ifeq ($(wildcard arch/$(SRCARCH)/objs.mk),)
$(error ARCH=$(ARCH): there is no such architecture here; known: $(patsubst x86,x86_64,$(notdir $(patsubst %/objs.mk,%,$(wildcard arch/*/objs.mk)))))
endif
ifeq ($(wildcard configs/$(VARIANT)),)
$(error VARIANT=$(VARIANT): there is no configs/$(VARIANT); known: $(notdir $(wildcard configs/*)))
endif

ifneq ($(ARCH),$(HOST_ARCH))
CROSS_COMPILE ?= $(if $(filter arm64,$(ARCH)),aarch64,x86_64)-linux-gnu-
endif
CC := $(CROSS_COMPILE)gcc
LD := $(CROSS_COMPILE)ld
NM := $(CROSS_COMPILE)nm
OBJCOPY := $(CROSS_COMPILE)objcopy

B := $(O)/$(ARCH)$(if $(filter-out release,$(VARIANT)),-$(VARIANT))
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),@:,@printf '  %-7s %s\n' $(1) $(2))

TOOL_GOALS := run check bench soak iso deps
CLEAN_GOALS := clean docs format format-check defconfig menuconfig savedefconfig guest hosttests

# ---- The user's commands: thin, the work is in tools/tine ----

RUN_ARGS ?=
.PHONY: run check bench soak iso deps
run:
	$(Q)tools/bootstrap tools/tine run --arch $(ARCH) $(RUN_ARGS)
check:
	$(Q)tools/bootstrap tools/tine test all
soak:
	$(Q)tools/bootstrap tools/tine test soak
bench:
	$(Q)tools/bootstrap tools/tine bench all
iso deps:
	$(Q)tools/bootstrap tools/tine $@

# ---- Configuration ----

CONFIG := $(B)/.config
KCONFIG_ENV = KCONFIG_CONFIG=$(CONFIG) CONFIG_=CONFIG_

$(CONFIG): Kconfig configs/$(VARIANT)
	$(Q)mkdir -p $(B)
	$(call say,CONFIG,$@)
	$(Q)$(KCONFIG_ENV) kconfig-conf --defconfig=$(if $(wildcard $(CONFIG)),$(CONFIG),configs/$(VARIANT)) Kconfig >$(B)/kconfig.log 2>&1 || { cat $(B)/kconfig.log; exit 1; }
	$(Q)touch $@

.PHONY: defconfig menuconfig savedefconfig
defconfig:
	$(Q)mkdir -p $(B)
	$(Q)$(KCONFIG_ENV) kconfig-conf --defconfig=configs/$(VARIANT) Kconfig
menuconfig: $(CONFIG)
	$(Q)$(KCONFIG_ENV) kconfig-mconf Kconfig
savedefconfig: $(CONFIG)
	$(Q)$(KCONFIG_ENV) kconfig-conf --savedefconfig=configs/$(VARIANT) Kconfig

ifeq ($(filter $(TOOL_GOALS) $(CLEAN_GOALS),$(or $(MAKECMDGOALS),all)),)
include $(CONFIG)
endif

CONFIG_HEADER := $(B)/include/config.h
$(CONFIG_HEADER): Kconfig $(CONFIG) tools/build/config-header.awk
	$(Q)mkdir -p $(@D)
	$(Q)awk -f tools/build/config-header.awk Kconfig $(CONFIG) >$@

# The ABI's headers are Debian's; a folder that holds only xen/ keeps everything else of /usr/include out.
XEN_HEADERS ?= /usr/include/xen
XEN_LINK := $(B)/include/public/xen
$(XEN_LINK):
	$(Q)test -f $(XEN_HEADERS)/xen.h || { echo "$(XEN_HEADERS)/xen.h is missing: install libxen-dev (tools/tine deps)" >&2; exit 2; }
	$(Q)mkdir -p $(@D)
	$(Q)ln -sfn $(XEN_HEADERS) $@

# Decompression is Debian's libraries: their headers likewise, and their static archives into the image.
# (Of another architecture's image, both are what tools/tine fetches of that architecture.)
SYSROOT := $(if $(filter-out $(HOST_ARCH),$(ARCH)),$(O)/sysroot-$(ARCH))
ifneq ($(SYSROOT),)
$(SYSROOT)/libfdt.h:
	$(Q)tools/bootstrap tools/tine deps --sysroot $(@D)
SYSROOT_MADE := $(SYSROOT)/libfdt.h
endif
archive = $(if $(SYSROOT),$(SYSROOT)/lib$(1).a,$(shell $(CC) -print-file-name=lib$(1).a))

UNPACK_HEADERS := lzma.h lzma zlib.h zconf.h zstd.h zstd_errors.h lz4.h
UNPACK_LIBS := lzma z zstd lz4
UNPACK_LINK := $(B)/include/unpack/lz4.h
ARCHIVES = $(foreach l,$(UNPACK_LIBS) $(ARCH_LIBS),$(call archive,$(l)))
$(UNPACK_LINK):
	$(Q)mkdir -p $(@D)
	$(Q)for h in $(UNPACK_HEADERS); do f=$$(ls -d /usr/include/$$h /usr/include/$$($(CC) -dumpmachine)/$$h 2>/dev/null | head -1); \
		test -n "$$f" || { echo "$$h is missing: install liblzma-dev zlib1g-dev libzstd-dev liblz4-dev (tools/tine deps)" >&2; exit 2; }; ln -sfn $$f $(@D)/$$h; done
$(patsubst %.c,$(B)/%.o,$(wildcard boot/unpack_*.c)): CPPFLAGS_UNPACK = -isystem $(B)/include/unpack -D_LIBC_LIMITS_H_ # the compiler's limits.h is enough
$(patsubst %.c,$(B)/%.o,$(wildcard boot/unpack_*.c)): | $(UNPACK_LINK)

# Device trees are libfdt's to take apart.
FDT_LINK := $(B)/include/fdt/libfdt.h
$(FDT_LINK): | $(SYSROOT_MADE)
	$(Q)mkdir -p $(@D)
	$(Q)for h in libfdt.h fdt.h; do f=$(or $(abspath $(SYSROOT)),/usr/include)/$$h; \
		test -f $$f || { echo "$$f is missing: install libfdt-dev (tools/tine deps)" >&2; exit 2; }; ln -sfn $$f $(@D)/$$h; done
FDT_OBJS := $(patsubst %.c,$(B)/%.o,$(wildcard arch/arm64/boot/d*.c arch/arm64/guest/*.c))
$(FDT_OBJS): CPPFLAGS_FDT = -isystem $(B)/include/fdt -Iarch/arm64/fdt
$(FDT_OBJS): | $(FDT_LINK)

# ---- Compiling ----

obj-y :=
include $(wildcard lib/objs.mk mm/objs.mk store/objs.mk sched/objs.mk abi/objs.mk boot/objs.mk)
include arch/$(SRCARCH)/objs.mk
ifeq ($(CONFIG_SELFTEST),y)
include $(wildcard tests/selftest/objs.mk)
endif
OBJS := $(addprefix $(B)/,$(obj-y))

GIT_VERSION := $(shell git describe --always --dirty 2>/dev/null || echo unknown)

optimize-$(CONFIG_OPTIMIZE_SPEED) := -O2
optimize-$(CONFIG_OPTIMIZE_SIZE) := -Os
optimize-$(CONFIG_OPTIMIZE_DEBUG) := -Og

# User's own flags (CFLAGS) come last. ARCH_CFLAGS comes from the architecture's objs.mk.
CPPFLAGS_TINE := -nostdinc -isystem $(shell $(CC) -print-file-name=include 2>/dev/null) -include $(CONFIG_HEADER) -Iinclude \
	-Iarch/$(SRCARCH)/include -isystem $(B)/include/public -D__XEN_INTERFACE_VERSION__=__XEN_LATEST_INTERFACE_VERSION__
WARNINGS := -Wall -Wextra -Werror -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wshadow \
	-Wpointer-arith -Wwrite-strings -Wundef -Wvla -Wimplicit-fallthrough -Wformat=2 -Wcast-qual -Wcast-align \
	-Wlogical-op -Wduplicated-cond -Wduplicated-branches -Wnull-dereference -Wno-unused-parameter
CFLAGS_TINE := -std=gnu11 -ffreestanding -fno-common -fno-stack-protector -fno-strict-aliasing -fno-delete-null-pointer-checks \
	-fno-tree-loop-distribute-patterns -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections -g \
	-ffile-prefix-map=$(CURDIR)/= $(optimize-y) $(WARNINGS) \
	$(if $(filter y,$(CONFIG_FRAME_POINTER)),-fno-omit-frame-pointer -fno-optimize-sibling-calls,-fomit-frame-pointer) \
	$(if $(filter y,$(CONFIG_UBSAN)),-fsanitize=undefined -fno-sanitize=alignment) \
	$(ARCH_CFLAGS)
ALL_CFLAGS = $(CPPFLAGS_TINE) $(CPPFLAGS_UNPACK) $(CPPFLAGS_FDT) $(CFLAGS_TINE) $(CFLAGS)

$(B)/%.o: %.c $(CONFIG_HEADER) | $(XEN_LINK)
	$(Q)mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) $(CFLAGS_$*) -MMD -MP -c -o $@ $<

$(B)/%.o: %.S $(CONFIG_HEADER) | $(XEN_LINK)
	$(Q)mkdir -p $(@D)
	$(call say,AS,$<)
	$(Q)$(CC) $(CPPFLAGS_TINE) $(ARCH_ASFLAGS) -g -D__ASSEMBLY__ -MMD -MP -c -o $@ $<

# Offsets of structure members for assembly: the C file emits lines "->NAME value" into its assembly.
OFFSETS := $(B)/include/asm-offsets.h
OFFSETS_SRC := arch/$(SRCARCH)/asm-offsets.c
$(OFFSETS): $(OFFSETS_SRC) $(CONFIG_HEADER) | $(XEN_LINK)
	$(Q)mkdir -p $(@D)
	$(call say,OFFSETS,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -fno-sanitize=all -MMD -MP -MT $@ -MF $(B)/asm-offsets.d -S -o $(B)/asm-offsets.s $<
	$(Q)sed -n 's/^.*->\([A-Z0-9_]*\) [$$]*\(-*[0-9]*\).*/#define \1 \2/p' $(B)/asm-offsets.s >$@
ifneq ($(wildcard $(OFFSETS_SRC)),)
$(filter $(patsubst %.S,$(B)/%.o,$(wildcard arch/$(SRCARCH)/*.S arch/$(SRCARCH)/*/*.S)),$(OBJS)): $(OFFSETS)
endif
CPPFLAGS_TINE += -I$(B)/include

# The build's identity changes with every commit: one small object knows it.
$(B)/boot/banner.o: CFLAGS_boot/banner = -DTINE_VERSION='"$(GIT_VERSION)"' -DTINE_VARIANT='"$(VARIANT)"'
$(B)/.version: FORCE
	$(Q)mkdir -p $(B); echo '$(GIT_VERSION) $(VARIANT)' | cmp -s - $@ || echo '$(GIT_VERSION) $(VARIANT)' >$@
$(B)/boot/banner.o: $(B)/.version
.PHONY: FORCE

# ---- Linking: twice, the second time with the symbol table made from the first ----

LDS := $(B)/image.lds
$(LDS): arch/$(SRCARCH)/image.lds.S $(CONFIG_HEADER)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_TINE) -E -P -D__ASSEMBLY__ -D__LINKER__ -MMD -MP -MT $@ -MF $@.d -o $@ $<

LDFLAGS_TINE := -nostdlib -static --no-dynamic-linker --build-id=sha1 --gc-sections --fatal-warnings -z noexecstack -z max-page-size=4096
link = $(LD) $(LDFLAGS_TINE) -T $(LDS) -o $@ $(OBJS) $(1) --start-group $(ARCHIVES) --end-group

$(B)/symbols-0.S: tools/build/symbols.awk
	$(Q)mkdir -p $(@D)
	$(Q)awk -f $< /dev/null >$@
$(B)/symbols-1.S: $(B)/tine.unnamed tools/build/symbols.awk
	$(Q)$(NM) -n $< | awk -f tools/build/symbols.awk >$@
$(B)/symbols-%.o: $(B)/symbols-%.S
	$(Q)$(CC) $(ARCH_ASFLAGS) -c -o $@ $<
$(B)/tine.unnamed: $(OBJS) $(LDS) $(B)/symbols-0.o | $(SYSROOT_MADE)
	$(Q)$(call link,$(B)/symbols-0.o)
# An image that no loader takes as ELF is cut out of one.
LINKED := $(B)/tine$(if $(IMAGE_BINARY),.elf)
$(LINKED): $(OBJS) $(LDS) $(B)/symbols-1.o
	$(call say,LD,$@)
	$(Q)$(call link,$(B)/symbols-1.o)
ifneq ($(IMAGE_BINARY),)
$(B)/tine: $(B)/tine.elf
	$(call say,IMAGE,$@)
	$(Q)$(OBJCOPY) -O binary $< $@.part && mv $@.part $@
endif
.SECONDARY: $(B)/symbols-0.S $(B)/symbols-1.S

.PHONY: all
all: $(B)/tine

# ---- Guests, host tests and the developer's conveniences ----

.PHONY: guest hosttests
guest:
	$(Q)$(MAKE) -C tests/guest O=$(abspath $(O)/$(ARCH)/guest) V=$(V) $(if $(filter arm64,$(ARCH)),$(abspath $(O)/arm64/guest/tinyarm))
hosttests:
	$(Q)$(MAKE) -C tests/host O=$(abspath $(O)/host) V=$(V)

SOURCES := $(shell git ls-files '*.c' '*.h' 2>/dev/null)
.PHONY: docs
docs:
	$(Q)cd tools && /usr/bin/python3 -m tinelib.abi_page && /usr/bin/python3 -m tinelib.lines

.PHONY: format format-check
format:
	$(Q)clang-format -i $(SOURCES)
format-check:
	$(Q)clang-format --dry-run -Werror $(SOURCES)

json_entry = {"directory":"$(CURDIR)","file":"$(1)","output":"$(B)/$(1:.c=.o)","arguments":["$(CC)",$(foreach f,$(ALL_CFLAGS),"$(subst ",\",$(f))",)"-c","$(1)"]}
comma := ,
C_SOURCES = $(wildcard $(patsubst %.o,%.c,$(obj-y)))
.PHONY: compile_commands.json
compile_commands.json: $(CONFIG_HEADER) $(XEN_LINK)
	$(file >$@,[)
	$(foreach s,$(C_SOURCES),$(file >>$@,$(call json_entry,$(s))$(if $(filter-out $(lastword $(C_SOURCES)),$(s)),$(comma))))
	$(file >>$@,])
	$(call say,JSON,$@)

.PHONY: clean
clean:
	$(Q)rm -rf $(O)

-include $(OBJS:.o=.d) $(LDS).d $(B)/asm-offsets.d
