/* Values, errors and names as all tables write them. */
#ifndef SIM_COMPARE_SHOW_VALUE_H
#define SIM_COMPARE_SHOW_VALUE_H

#include "compare/compare_figures.h"

enum { SHOW_VALUE = 32, SHOW_NAME = 96 };

/* What launches longer than it are counted apart for: cycles. */
#define SHOW_LONG 20000.0

/* Four digits, whole numbers above a thousand; "-" for NaN. */
const char *show_value(double value, char text[SHOW_VALUE]);

/* "+12.3 %", "-1.2 pp" where the figure counts in points, "-" for NaN. */
const char *show_error(const struct figure *figure, double error, char text[SHOW_VALUE]);

/* The size of errors: "12.3 %". */
const char *show_size(const struct figure *figure, double size, char text[SHOW_VALUE]);

/* "fft 3" where there are programs, else "fft": the program, or the kernel's function. */
const char *show_launch(const struct match *match, const struct launch_row *row,
                        char text[SHOW_NAME]);

/* The program, or the kernel's function where programs are unknown or one. */
const char *show_group(const struct match *match, const struct launch_row *row,
                       char text[KERNEL_NAME]);

#endif
