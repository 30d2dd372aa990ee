/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a fork is made from and goes back to, apart from memory: a copy of the parent's state that shares nothing with it. fork_state.c,
 * evtchn_fork.c, grant_fork.c. Saved once, with the parent stopped; read-only since.
 */
#ifndef SCHED_FORK_STATE_H
#define SCHED_FORK_STATE_H

#include <tine/domain.h>
#include <tine/grant.h>
#include <tine/vcpu.h>

struct vcpu_state {
	unsigned long pause_flags; /* those that are its own doing */
	bool initialised;
	stime_t singleshot, poll; /* when they expire; STIME_MAX: not set */
	stime_t periodic_period, periodic_last;
	u16 virq_port[NR_VIRQS];
	u16 poll_port;
	vcpu_runstate_info_t runstate;
	gva_t runstate_guest, time_guest;
	bool has_info; /* registered, at this place of that frame */
	unsigned int info_offset;
	unsigned long info_frame;
	void *arch;
};

#define FORK_PAUSES (BIT(VCPU_BLOCKED) | BIT(VCPU_POLLING) | BIT(VCPU_DOWN))

/* Bindings to others are not in it. DOMID_SELF stands for the domain itself. */
struct evtchn_snapshot {
	u32 lowest_free, polling;
	unsigned int dropped;
	struct evtchn *buckets[EVTCHN_PORTS / EVTCHN_BUCKET];
};

/* Entries, as far as the frame has any, without the marks of those that used them. */
struct grant_snapshot {
	u32 version;
	unsigned int nr_frames;
	size_t size[GRANT_FRAMES_MAX];
	void *frame[GRANT_FRAMES_MAX];
};

/* Whole pages of the guest's that the hypervisor writes to, too. */
struct held_page {
	unsigned long frame; /* what the guest calls it */
	void *contents;
};

struct fork_state {
	unsigned int nr_held;
	struct held_page held[MAX_VCPUS + 2]; /* vcpu_infos, two rings */
	shared_info_t *shared_info;
	u32 vm_assist;
	void *arch;
	struct evtchn_snapshot evtchn;
	struct grant_snapshot grants;
	unsigned int nr_vcpus;
	struct vcpu_state vcpus[];
};

/* With all memory that is known to be needed. NULL: there is not enough. */
struct fork_state *fork_state_alloc(const struct domain *parent) __must_check;
void fork_state_free(struct fork_state *s);
/* D is stopped. -ENOMEM */
int fork_state_save(struct fork_state *s, struct domain *d) __must_check;
/*
 * D, which is stopped, becomes what S says: first the domain (-ENOMEM; -EBUSY: its grants are in use), then, once all pages that it has with
 * the hypervisor in common are in their places, the vCPUs.
 */
int fork_state_load_domain(struct domain *d, const struct fork_state *s) __must_check;
void fork_state_load_vcpus(struct domain *d, const struct fork_state *s);

int evtchn_snapshot_save(struct evtchn_snapshot *s, struct domain *d) __must_check;
int evtchn_snapshot_load(struct domain *d, const struct evtchn_snapshot *s) __must_check;
void evtchn_snapshot_free(struct evtchn_snapshot *s);

int grant_snapshot_save(struct grant_snapshot *s, struct domain *d) __must_check;
int grant_snapshot_load(struct domain *d, const struct grant_snapshot *s) __must_check;
void grant_snapshot_free(struct grant_snapshot *s);

#endif
