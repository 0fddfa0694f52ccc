#include "compare/show_value.h"

#include <math.h>
#include <stdio.h>

#include "base/printable.h"

const char *show_value(double value, char text[SHOW_VALUE])
{
    if (isnan(value))
        return "-";
    (void)snprintf(text, SHOW_VALUE, fabs(value) >= 1000.0 ? "%.0f" : "%.4g", value);
    return text;
}

const char *show_error(const struct figure *figure, double error, char text[SHOW_VALUE])
{
    if (isnan(error))
        return "-";
    (void)snprintf(text, SHOW_VALUE, fabs(error) < 9999.0 ? "%+.1f %s" : "%+.2g %s", error,
                   figure->points ? "pp" : "%");
    return text;
}

const char *show_size(const struct figure *figure, double size, char text[SHOW_VALUE])
{
    if (isnan(size))
        return "-";
    (void)snprintf(text, SHOW_VALUE, size < 9999.0 ? "%.1f %s" : "%.2g %s", size,
                   figure->points ? "pp" : "%");
    return text;
}

const char *show_group(const struct match *match, const struct launch_row *row,
                       char text[KERNEL_NAME])
{
    if (launches_have_programs(match->measured))
        return printable(row->program, text, KERNEL_NAME);
    return printable(kernel_function(row->kernel, text), text, KERNEL_NAME);
}

const char *show_launch(const struct match *match, const struct launch_row *row,
                        char text[SHOW_NAME])
{
    char function[KERNEL_NAME];
    (void)printable(kernel_function(row->kernel, function), function, sizeof function);
    if (launches_have_programs(match->measured))
        (void)snprintf(text, SHOW_NAME, "%.48s %u", row->program, row->number);
    else
        (void)snprintf(text, SHOW_NAME, "%u %.60s", row->number, function);
    return printable(text, text, SHOW_NAME);
}
