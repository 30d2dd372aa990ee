// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * xen_version: what a guest may know about the hypervisor. The version is that of the Xen whose
 * interface this is, since guests decide by it what to expect; the extra version says who is really
 * there.
 *
 * Version itself is asked often: guests use it as the call that does nothing but deliver pending
 * events.
 */
#include <tine/domain.h>
#include <tine/hypercall.h>
#include <tine/string.h>
#include <tine/vcpu.h>
#include <asm/abi.h>
#include <asm/memory.h>
#include <xen/features.h>
#include <xen/version.h>
#include "internal.h"

#define VERSION_MAJOR 4
#define VERSION_MINOR 17

static const char extraversion[] = "-tine";
static const char capabilities[] = ABI_CAPABILITIES;
static const char changeset[] = "tine";

/* An answer of fixed size: TEXT, and zeros behind it. */
static long answer_text(gva_t out, const char *text, size_t size)
{
	char buf[XEN_CAPABILITIES_INFO_LEN] = { 0 };

	str_copy(buf, text, size);
	return copy_to_guest(out, buf, size);
}

static long compile_info(gva_t out)
{
	struct xen_compile_info info = { { 0 }, { 0 }, { 0 }, { 0 } };

	str_copy(info.compiler, __VERSION__, sizeof(info.compiler));
	str_copy(info.compile_by, "tine", sizeof(info.compile_by));
	return copy_to_guest(out, &info, sizeof(info));
}

static u32 features(const struct domain *d)
{
	u32 pv = BIT(XENFEAT_mmu_pt_update_preserve_ad) | BIT(XENFEAT_gnttab_map_avail_bits) |
		 BIT(XENFEAT_highmem_assist) | BIT(XENFEAT_memory_op_vnode_supported) |
		 BIT(XENFEAT_direct_mapped);
	u32 translated = BIT(XENFEAT_writable_page_tables) | BIT(XENFEAT_auto_translated_physmap) |
			 BIT(XENFEAT_memory_op_vnode_supported) | BIT(XENFEAT_not_direct_mapped) |
			 ABI_TRANSLATED_FEATURES;
	u32 bits = d->config.type == DOMAIN_PV ? pv : translated;

	if (d->config.initial)
		bits |= BIT(XENFEAT_dom0);
	if (d->vm_assist & BIT(VMASST_TYPE_pae_extended_cr3))
		bits |= BIT(XENFEAT_pae_pgdir_above_4gb);
	return bits;
}

static long get_features(gva_t out)
{
	struct xen_feature_info info;

	if (copy_from_guest(&info, out, sizeof(info)))
		return -EFAULT;
	if (info.submap_idx)
		return -EINVAL;
	info.submap = features(current->domain);
	return copy_to_guest(out, &info, sizeof(info));
}

static long platform_parameters(gva_t out)
{
	struct xen_platform_parameters params = { .virt_start = HYPERVISOR_VIRT_START };

	return copy_to_guest(out, &params, sizeof(params));
}

/*
 * The linker's note about the image: header of three words, name "GNU" in a fourth, then the
 * identity itself. Called without a place for it, the answer is its length.
 */
#define BUILD_ID_AT 16
extern const u8 build_id_note_start[], build_id_note_end[];

static long build_id(gva_t out)
{
	size_t whole = (size_t)(build_id_note_end - build_id_note_start);
	size_t len = whole > BUILD_ID_AT ? whole - BUILD_ID_AT : 0;
	u32 room;

	if (!len)
		return -ENODATA;
	if (!gva_x(out))
		return (long)len;
	if (copy_from_guest(&room, out, sizeof(room)))
		return -EFAULT;
	if (room < len)
		return room ? -ENOBUFS : -EINVAL;
	if (copy_to_guest(_gva(gva_x(out) + offsetof(struct xen_build_id, buf)),
			  build_id_note_start + BUILD_ID_AT, len))
		return -EFAULT;
	return (long)len;
}

static __noinline long other_commands(unsigned int cmd, gva_t out)
{
	static const xen_domain_handle_t no_handle;

	switch (cmd) {
	case XENVER_extraversion:
		return answer_text(out, extraversion, XEN_EXTRAVERSION_LEN);
	case XENVER_compile_info:
		return compile_info(out);
	case XENVER_capabilities:
		return answer_text(out, capabilities, XEN_CAPABILITIES_INFO_LEN);
	case XENVER_changeset:
		return answer_text(out, changeset, XEN_CHANGESET_INFO_LEN);
	case XENVER_platform_parameters:
		return platform_parameters(out);
	case XENVER_get_features:
		return get_features(out);
	case XENVER_pagesize:
		return gva_x(out) ? -EINVAL : (long)PAGE_SIZE;
	case XENVER_guest_handle:
		return copy_to_guest(out, no_handle, sizeof(no_handle));
	case XENVER_commandline:
		return answer_text(out, "", sizeof(xen_commandline_t));
	case XENVER_build_id:
		return build_id(out);
	default:
		return hypercall_unknown();
	}
}

long do_xen_version(unsigned long cmd, unsigned long out, unsigned long a3, unsigned long a4,
		    unsigned long a5)
{
	if (likely((u32)cmd == XENVER_version))
		return VERSION_MAJOR << 16 | VERSION_MINOR;
	return other_commands((u32)cmd, _gva(out));
}
