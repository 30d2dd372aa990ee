# SPDX-License-Identifier: GPL-2.0-or-later
obj-y += sched/softirq.o sched/smp.o sched/timer.o sched/run_queue.o sched/scheduler.o sched/balance.o sched/vcpu.o sched/vcpu_time.o
obj-y += sched/domain.o sched/domain_pages.o sched/domain_p2m.o sched/domain_physmap.o sched/translated_memory.o sched/domain_end.o sched/watchdog.o sched/consistency.o sched/domain_fork.o sched/fork_child.o sched/fork_family.o sched/fork_state.o sched/fork_pages.o sched/evtchn.o sched/evtchn_send.o
obj-y += sched/evtchn_fifo.o sched/grant_table.o sched/grant_map.o sched/evtchn_fork.o sched/grant_fork.o
obj-y += sched/console_guest.o sched/console_ring.o sched/xenstore.o sched/console_input.o sched/console_cmd.o sched/console_ask.o sched/debug_keys.o
