# SPDX-License-Identifier: GPL-2.0-or-later
obj-y += store/store.o store/store_path.o store/store_tree.o store/store_watch.o store/store_transaction.o store/store_request.o store/store_clone.o
