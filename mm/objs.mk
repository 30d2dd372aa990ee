# SPDX-License-Identifier: GPL-2.0-or-later
obj-y += mm/block.o mm/bootmem.o mm/frame_backing.o mm/heap.o mm/heap_init.o mm/heap_init_chunk.o mm/heap_init_lazy.o mm/heap_init_page.o
obj-y += mm/heap_low.o mm/heap_offline.o mm/heap_scrub.o mm/heap_stats.o mm/numa.o mm/section.o mm/slab.o
obj-y += mm/p2m.o mm/p2m_check.o mm/p2m_log.o mm/p2m_reset.o mm/p2m_share_count.o mm/p2m_table.o mm/p2m_unshare.o mm/mapcount.o
obj-y += mm/fork.o mm/fork_subtree.o mm/fork_run.o mm/fork_frame.o mm/fork_frames.o mm/share.o
