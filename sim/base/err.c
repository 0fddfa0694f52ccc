#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

static void fill(struct simsm_error *error, enum simsm_status status, const char *file,
                 uint32_t line, uint32_t column)
{
    error->status = status;
    error->line = line;
    error->column = column;
    (void)snprintf(error->file, sizeof error->file, "%s", file ? file : "");
}

enum simsm_status err_set(struct simsm_error *error, enum simsm_status status, const char *format,
                          ...)
{
    if (!error)
        return status;
    fill(error, status, NULL, 0, 0);
    va_list list;
    va_start(list, format);
    (void)vsnprintf(error->message, sizeof error->message, format, list);
    va_end(list);
    return status;
}

enum simsm_status err_at(struct simsm_error *error, enum simsm_status status, const char *file,
                         uint32_t line, uint32_t column, const char *format, ...)
{
    if (!error)
        return status;
    fill(error, status, file, line, column);
    va_list list;
    va_start(list, format);
    (void)vsnprintf(error->message, sizeof error->message, format, list);
    va_end(list);
    return status;
}

enum simsm_status err_no_memory(struct simsm_error *error)
{
    return err_set(error, SIMSM_FAILED, "out of memory");
}

char *simsm_error_text(const struct simsm_error *error, char *text, size_t size)
{
    if (error->line && error->column)
        (void)snprintf(text, size, "%s:%u:%u: %s", error->file, error->line, error->column,
                       error->message);
    else if (error->line)
        (void)snprintf(text, size, "%s:%u: %s", error->file, error->line, error->message);
    else if (error->file[0])
        (void)snprintf(text, size, "%s: %s", error->file, error->message);
    else
        (void)snprintf(text, size, "%s", error->message);
    return text;
}
