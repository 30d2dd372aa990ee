// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A parser of files that do not exist elsewhere: the letters TN, then chunks of a type, a length and so many bytes. It has six bugs, planted, each of a
 * kind that parsers have: a length that is checked on one of two ways, a division by what the file says, a pointer that is used after the
 * file has taken it away, an assertion on input, a reference that may name itself, and a step back that may lead to where it began.
 */
#include "notes_parser.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096
#define TITLE_MAX 16

unsigned char notes_chunk;
unsigned int notes_seen;
unsigned int notes_result;

static unsigned char *title; /* its end is the end of a page, and nothing follows */
static const unsigned char *file, *file_end;

static struct {
	unsigned int width;
	int has_width, has_note;
	const unsigned char *note;
} doc;

static const unsigned char *chunks(const unsigned char *at, const unsigned char *end);

int notes_init(void)
{
	unsigned char *pages =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE))
		return -1;
	title = pages + PAGE - TITLE_MAX;
	memset(title, 0, TITLE_MAX);
	return 0;
}

static void reached(unsigned int place)
{
	notes_seen |= 1U << place;
}

static int take_title(const unsigned char *p, unsigned int length)
{
	reached(0);
	if (length && *p == '!') {
		reached(1);
		p++; /* a loud title; bug: its length is nobody's business */
		length--;
	} else if (length > TITLE_MAX) {
		return -1;
	}
	memcpy(title, p, length);
	return 0;
}

static int take_width(const unsigned char *p, unsigned int length)
{
	if (length != 1)
		return -1;
	reached(2);
	doc.width = *p;
	doc.has_width = 1;
	return 0;
}

static int take_columns(unsigned int length)
{
	if (!doc.has_width)
		return -1;
	reached(3);
	notes_result = length * 80 / doc.width; /* bug: 0 is a width, too */
	return 0;
}

static int take_note(unsigned char type, const unsigned char *p, unsigned int length)
{
	if (type == 'N' && length) {
		reached(4);
		doc.note = p;
		doc.has_note = 1;
	} else if (type == 'F') {
		reached(5);
		doc.note = NULL; /* bug: has_note stays */
	} else if (type == 'P' && doc.has_note) {
		reached(6);
		notes_result = *doc.note;
	}
	return 0;
}

static int take_sum(const unsigned char *p, unsigned int length)
{
	unsigned char sum = 0;

	if (!length)
		return -1;
	for (unsigned int i = 1; i < length; i++)
		sum = (unsigned char)(sum + p[i]);
	reached(7);
	if (sum != *p)
		return -1;
	reached(8);
	if (length == 1)
		abort(); /* bug: "a sum of nothing does not happen" */
	return 0;
}

static int take_reference(const unsigned char *p, unsigned int length)
{
	const unsigned char *at;

	if (length != 1 || *p < 2 || *p >= file_end - file)
		return -1;
	reached(9);
	at = file + *p; /* bug: it may be this very chunk */
	if (at + 2 > file_end || at + 2 + at[1] > file_end)
		return -1;
	reached(10);
	return chunks(at, at + 2 + at[1]) ? 0 : -1;
}

/* Where to go on; NULL: a bad file. */
static const unsigned char *take_back(const unsigned char *next, unsigned char back)
{
	reached(11);
	if (back > next - file - 2)
		return NULL;
	reached(12);
	return next - back; /* bug: and there this chunk comes again */
}

static int take(unsigned char type, const unsigned char *p, unsigned int length)
{
	notes_chunk = type;
	switch (type) {
	case 'T':
		return take_title(p, length);
	case 'W':
		return take_width(p, length);
	case 'D':
		return take_columns(length);
	case 'N':
	case 'F':
	case 'P':
		return take_note(type, p, length);
	case 'A':
		return take_sum(p, length);
	case 'R':
		return take_reference(p, length);
	default:
		return 0; /* unknown chunks are for newer readers */
	}
}

static const unsigned char *chunks(const unsigned char *at, const unsigned char *end)
{
	while (end - at >= 2) {
		unsigned char type = at[0];
		unsigned int length = at[1];

		if (length > end - at - 2)
			return NULL;
		if (take(type, at + 2, length))
			return NULL;
		notes_chunk = type;
		at += 2 + length;
		if (type == 'B' && length == 1)
			at = take_back(at, at[-1]);
		if (!at)
			return NULL;
	}
	return at;
}

int notes_parse(const unsigned char *data, size_t size)
{
	memset(&doc, 0, sizeof(doc));
	notes_seen = 0;
	file = data;
	file_end = data + size;
	if (size < 2 || data[0] != 'T' || data[1] != 'N')
		return -1;
	return chunks(data + 2, file_end) ? 0 : -1;
}
