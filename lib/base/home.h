/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* home.h - our folders in a user's home */
#ifndef BASE_HOME_H
#define BASE_HOME_H

/*
 * "$VARIABLE/ktrail", or "~/BELOW/ktrail" if the variable is not an absolute path.
 * New (free); NULL if the user has no home folder or memory runs out.
 */
char *home_folder(const char *variable, const char *below);
/* Create the folder and its parents; a failure shows when a file is written there */
void home_make_folder(const char *path);

#endif
