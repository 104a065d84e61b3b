/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* svg.h - shared by all SVG files: the head, and text that came from a trace */
#ifndef PICTURE_SVG_H
#define PICTURE_SVG_H

#include <stddef.h>

#include "base/str.h"

/* In pixels. @style: CSS rules. The caller ends the file with "</svg>\n". */
void svg_begin(struct str *s, unsigned int width, unsigned int height, const char *style);
/* Control characters become \\xNN, and characters special to XML become entities. */
void svg_add_text(struct str *s, const char *text);
void svg_add_textn(struct str *s, const char *text, size_t len);

#endif
