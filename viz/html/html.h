/*
 * A run as a page for a browser: figures, pictures of the screens, and a timeline to move and zoom.
 * A program as a page, with links to the pages of its launches. No page needs the network.
 */
#ifndef VIZ_HTML_HTML_H
#define VIZ_HTML_HTML_H

#include "track/program_file.h"
#include "track/track.h"

/* What a page shows beside the timeline and the figures. */
enum html_pictures { HTML_ALL_PICTURES, HTML_NO_PICTURES };

/*
 * As html_write(), for a page that a program shows at once and replaces by the whole page later:
 * the pictures take most of the time.
 */
enum simsm_status html_write_part(struct run *run, enum html_pictures pictures, FILE *file,
                                  struct simsm_error *error);

/*
 * Writes the page of a run. `other` is a second run to compare with, or NULL. `program` is the name
 * of the program's page, to which a link leads, or NULL. Errors of writing stay in the file
 * (ferror).
 */
enum simsm_status html_write(struct run *run, struct run *other, const char *program, FILE *file,
                             struct simsm_error *error);

/* The page of a launch: its name, to which a link leads, or why there is none. Both may be NULL. */
struct launch_page {
    char *name, *problem;
};

/*
 * Writes the page of a program: its time, its picture, its launches. pages[i] is of the launch that
 * is activity i of the log. Errors of writing stay in the file (ferror). html_program.c.
 */
enum simsm_status html_write_program(const struct program_file *program,
                                     const struct launch_page *pages, FILE *file,
                                     struct simsm_error *error);

#endif
