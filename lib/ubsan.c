// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The functions that code built with -fsanitize=undefined calls when it is about to do something undefined. Each stops
 * the hypervisor and names the place; going on would hide what a test is there to find. The data layouts are GCC's and
 * clang's: every structure begins with the source location.
 */
#include <tine/lib.h>

struct source_location {
	const char *file;
	u32 line, column;
};

#define HANDLER(name, what, ...)                                                                   \
	void __ubsan_handle_##name(const struct source_location *at, ##__VA_ARGS__);               \
	void __ubsan_handle_##name(const struct source_location *at, ##__VA_ARGS__)                \
	{                                                                                          \
		panic("Undefined behaviour at %s:%u:%u: " what, at->file, at->line, at->column);   \
	}

HANDLER(add_overflow, "signed addition overflows", void *a, void *b)
HANDLER(sub_overflow, "signed subtraction overflows", void *a, void *b)
HANDLER(mul_overflow, "signed multiplication overflows", void *a, void *b)
HANDLER(negate_overflow, "negation overflows", void *a)
HANDLER(divrem_overflow, "division overflows or is by zero", void *a, void *b)
HANDLER(shift_out_of_bounds, "shift by too much", void *a, void *b)
HANDLER(out_of_bounds, "index out of bounds", void *index)
HANDLER(vla_bound_not_positive, "array of no size", void *bound)
HANDLER(load_invalid_value, "value that its type does not have", void *value)
HANDLER(builtin_unreachable, "code that cannot be reached")
HANDLER(invalid_builtin, "bit scan of zero")
HANDLER(missing_return, "end of a function that returns a value")
HANDLER(nonnull_arg, "null where it is not allowed")
HANDLER(pointer_overflow, "pointer arithmetic overflows", void *a, void *b)

void __ubsan_handle_type_mismatch_v1(const struct source_location *at, void *pointer);
void __ubsan_handle_type_mismatch_v1(const struct source_location *at, void *pointer)
{
	panic("Undefined behaviour at %s:%u:%u: bad access through %p", at->file, at->line,
	      at->column, pointer);
}
