/* The spec of a sweep: what is accepted has cases, and each can be made into a configuration. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "config/schema.h"
#include "sweep/space.h"

enum { MOST_CASES = 64 };

static void check(int holds, const char *what, const struct simsm_error *error)
{
    if (holds)
        return;
    (void)fprintf(stderr, "%s: %s\n", what, error->message);
    abort();
}

static void configure(const struct spec *spec, uint64_t number, bool *met)
{
    struct space_case this_case;
    struct simsm_config config;
    struct simsm_error error = {.status = SIMSM_OK};
    struct texts params = {0};
    space_at(spec, number, &this_case);
    (void)space_wanted(spec, &this_case, met);
    schema_defaults(&config);
    check(space_configure(spec, &this_case, &config, &params, &error) == SIMSM_OK,
          "a value was accepted that its key cannot take", &error);
    texts_free(&params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct spec spec;
    struct simsm_error error = {.status = SIMSM_OK};
    uint64_t cases = 0;
    enum simsm_status status = spec_parse(&spec, (const char *)data, size, "s.yaml", &error);
    if (status == SIMSM_OK && space_count(&spec, &cases, &error) == SIMSM_OK) {
        check(cases > 0, "no case", &error);
        bool *met = calloc(spec.only.count + spec.exclude.count + (size_t)1, sizeof *met);
        for (uint64_t i = 0; met && i < MOST_CASES && i < cases; i++)
            configure(&spec, i * (cases - 1) / MOST_CASES, met);
        if (met)
            configure(&spec, cases - 1, met);
        if (met && space_check_rules_met(&spec, met, &error) != SIMSM_OK)
            check(error.message[0] != '\0', "refused without a reason", &error);
        free(met);
    }
    if (status != SIMSM_OK)
        check(status == SIMSM_BAD_INPUT && error.status == status && error.message[0],
              "refused without a reason", &error);
    spec_free(&spec);
    return 0;
}
