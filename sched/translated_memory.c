// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies from and to a guest with translated memory: see <tine/translated_memory.h>. The guest may change its tables and its p2m under our eyes; each page is looked
 * up once, and whatever that says is the guest's own memory, held while it is used. No state, no lock.
 */
#include <tine/arch.h>
#include <tine/domain.h>
#include <tine/errno.h>
#include <tine/fork.h>
#include <tine/string.h>
#include <tine/translated_memory.h>
#include <tine/vcpu.h>

#define CHUNK 256

/*
 * The guest that runs needs a copy of a page, which it had in common with forks, for what it asked to be written there. It cannot go on without, no more than
 * if it had written there itself.
 */
static void no_memory(struct domain *d, u64 at)
{
	if (d == current->domain)
		domain_crash(d,
			     "the hypervisor's write to guest-physical address %llx, for which "
			     "there is no memory",
			     (unsigned long long)at);
}

static int hold(struct domain *d, u64 at, bool write, void **out)
{
	mfn_t mfn;
	int ret = p2m_hold(arch_domain_p2m(d), _gfn(at >> PAGE_SHIFT), write, &mfn);

	if (!ret)
		*out = (u8 *)mfn_to_virt(mfn) + (at & ~PAGE_MASK);
	else if (ret == -ENOMEM)
		no_memory(d, at);
	return ret == -ENOMEM || !ret ? ret : -EFAULT;
}

void *translated_hold(struct domain *d, u64 at, bool write)
{
	void *there;

	return hold(d, at, write, &there) ? NULL : there;
}

void translated_release(const void *there)
{
	page_put(mfn_to_page(virt_to_mfn(there)));
}

static size_t to_end_of_page(u64 at, size_t n)
{
	return min(n, PAGE_SIZE - (at & ~PAGE_MASK));
}

int translated_write(struct domain *d, u64 at, const void *from, size_t n)
{
	for (size_t done = 0, part; done < n; done += part) {
		void *to;
		int ret = hold(d, at + done, true, &to);

		if (ret)
			return ret;
		part = to_end_of_page(at + done, n - done);
		memcpy(to, (const u8 *)from + done, part);
		translated_release(to);
	}
	return 0;
}

static int hold_virtual(const struct vcpu *v, u64 va, bool write, void **out)
{
	u64 at;

	return arch_translate(v, va, write, &at) ? hold(v->domain, at, write, out) : -EFAULT;
}

int translated_copy_from(const struct vcpu *v, void *dst, gva_t src, size_t n)
{
	for (size_t done = 0, part; done < n; done += part) {
		u64 va = gva_x(src) + done;
		void *there;
		int ret = hold_virtual(v, va, false, &there);

		if (ret)
			return ret;
		part = to_end_of_page(va, n - done);
		memcpy((u8 *)dst + done, there, part);
		translated_release(there);
	}
	return 0;
}

int translated_copy_to(const struct vcpu *v, gva_t dst, const void *src, size_t n)
{
	for (size_t done = 0, part; done < n; done += part) {
		u64 va = gva_x(dst) + done;
		void *there;
		int ret = hold_virtual(v, va, true, &there);

		if (ret)
			return ret;
		part = to_end_of_page(va, n - done);
		memcpy(there, (const u8 *)src + done, part);
		translated_release(there);
	}
	return 0;
}

int translated_copy_across(const struct vcpu *v, gva_t va, size_t n)
{
	u8 chunk[CHUNK];

	for (size_t done = 0; done < n; done += sizeof(chunk)) {
		size_t part = min(n - done, sizeof(chunk));
		int ret = translated_copy_from(current, chunk, gva_add(va, done), part);

		if (!ret)
			ret = translated_copy_to(v, gva_add(va, done), chunk, part);
		if (ret)
			return ret;
	}
	return 0;
}
