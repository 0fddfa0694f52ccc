#include "options/launch_choice.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/err.h"

/* Reads a whole number above 0 and puts `text` behind it. Returns 0 if there is none. */
static uint64_t number(const char **text)
{
    char *stop;
    if (!isdigit((unsigned char)**text))
        return 0;
    errno = 0;
    const unsigned long long value = strtoull(*text, &stop, 10);
    *text = stop;
    return errno ? 0 : value;
}

static enum simsm_status read_launches(struct launch_choice *choice, const char *text,
                                       struct simsm_error *error)
{
    const char *at = text;
    choice->first = number(&at);
    const bool colon = *at == ':';
    at += colon;
    choice->end = number(&at);
    if (!choice->first || !colon || *at || choice->end <= choice->first)
        return err_set(error, SIMSM_BAD_INPUT,
                       "--launches: expected A:B with 1 <= A < B, such as 1:4 for launches 1 to 3, "
                       "found '%s'",
                       text);
    return SIMSM_OK;
}

enum simsm_status launch_choice_read(struct launch_choice *choice, const char *kernels,
                                     const char *launches, struct simsm_error *error)
{
    char why[128];
    *choice = (struct launch_choice){.first = 1, .end = UINT64_MAX};
    if (launches && read_launches(choice, launches, error) != SIMSM_OK)
        return SIMSM_BAD_INPUT;
    const int wrong = kernels ? regcomp(&choice->kernels, kernels, REG_EXTENDED | REG_NOSUB) : 0;
    choice->has_kernels = kernels && !wrong;
    if (!wrong)
        return SIMSM_OK;
    (void)regerror(wrong, &choice->kernels, why, sizeof why);
    return err_set(error, SIMSM_BAD_INPUT, "--kernels: '%s' is no regular expression: %s", kernels,
                   why);
}

bool launch_choice_takes(const struct launch_choice *choice, uint64_t number, const char *kernel)
{
    return number >= choice->first && number < choice->end &&
           (!choice->has_kernels || regexec(&choice->kernels, kernel, 0, NULL, 0) == 0);
}

void launch_choice_free(struct launch_choice *choice)
{
    if (choice->has_kernels)
        regfree(&choice->kernels);
    choice->has_kernels = false;
}
