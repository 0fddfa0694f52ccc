/* Formats values, errors and names for all tables. */
#ifndef SIM_COMPARE_SHOW_VALUE_H
#define SIM_COMPARE_SHOW_VALUE_H

#include "compare/compare_figures.h"

enum { SHOW_VALUE = 32, SHOW_NAME = 96 };

/* Launches of more cycles are also evaluated separately. */
#define SHOW_LONG 20000.0

/* Formats a value: four digits, whole numbers above a thousand, "-" for NaN. */
const char *show_value(double value, char text[SHOW_VALUE]);

/* Formats an error: "+12.3 %", "-1.2 pp" for a figure in percentage points, "-" for NaN. */
const char *show_error(const struct figure *figure, double error, char text[SHOW_VALUE]);

/* Formats the size of an error: "12.3 %". */
const char *show_size(const struct figure *figure, double size, char text[SHOW_VALUE]);

/* Returns the name of a launch: "fft 3" if there are programs, else the kernel's function. */
const char *show_launch(const struct match *match, const struct launch_row *row,
                        char text[SHOW_NAME]);

/* Returns the program, or the kernel's function if there is at most one program. */
const char *show_group(const struct match *match, const struct launch_row *row,
                       char text[KERNEL_NAME]);

#endif
