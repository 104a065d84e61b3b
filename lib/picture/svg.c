/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* svg.c - shared by all SVG files: the head, and text that came from a trace */
#include "picture/svg.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

void svg_begin(struct str *s, unsigned int width, unsigned int height, const char *style)
{
	str_addf(s, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		 "viewBox=\"0 0 %u %u\">\n<style>\ntext { font: 12px monospace; fill: #000; }\n"
		 "%s</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n", width,
		 height, width, height, style);
}

void svg_add_textn(struct str *s, const char *text, size_t len)
{
	size_t size = kt_escape(NULL, 0, text, len) + 1;
	char *plain = malloc(size);
	const char *p;

	if (!plain) {
		s->failed = true;
		return;
	}
	kt_escape(plain, size, text, len);
	for (p = plain; *p; p++) {
		switch (*p) {
		case '&': str_add(s, "&amp;"); break;
		case '<': str_add(s, "&lt;"); break;
		case '>': str_add(s, "&gt;"); break;
		case '"': str_add(s, "&quot;"); break;
		default:  str_addc(s, *p); break;
		}
	}
	free(plain);
}

void svg_add_text(struct str *s, const char *text)
{
	svg_add_textn(s, text, strlen(text));
}
