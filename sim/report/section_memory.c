/* Sections of the report: memory accesses, and what limits the kernel. */
#include <string.h>

#include "report/section.h"
#include "report/verdict.h"

/* Prints the sectors per request of one kind of access to global memory, and the sectors if the
 * accesses were dense. */
static void coalescing(const struct section *section, const char *label,
                       enum simsm_counter requests, unsigned sectors_per_request, uint64_t bytes)
{
    double n = (double)section_count(section, requests);
    if (n == 0)
        return;
    double sectors = section_value(section, sectors_per_request);
    double dense = (double)bytes / n / 32;
    section_row(section, label, quantity_ratio(sectors),
                "sectors of 32 B per request; %s if dense (%s)", quantity_ratio(dense).text,
                quantity_of(n, "request").text);
}

static void global(const struct section *section)
{
    coalescing(section, "global loads", SIMSM_COUNTER_GLOBAL_LD_REQUESTS,
               METRIC_LD_SECTORS_PER_REQUEST,
               section_count(section, SIMSM_COUNTER_GLOBAL_LD_BYTES) +
                   section_count(section, SIMSM_COUNTER_LDGSTS_BYTES));
    coalescing(section, "global stores", SIMSM_COUNTER_GLOBAL_ST_REQUESTS,
               METRIC_ST_SECTORS_PER_REQUEST,
               section_count(section, SIMSM_COUNTER_GLOBAL_ST_BYTES));
    uint64_t atomics = section_count(section, SIMSM_COUNTER_GLOBAL_ATOM_REQUESTS);
    if (atomics)
        section_row(section, "global atomics",
                    quantity_ratio(section_value(section, METRIC_ATOM_SECTORS_PER_REQUEST)),
                    "sectors of 32 B per request (%s)",
                    quantity_of((double)atomics, "request").text);
    uint64_t local = section_count(section, SIMSM_COUNTER_LOCAL_REQUESTS);
    if (local)
        section_row(section, "local memory",
                    quantity_ratio(section_value(section, METRIC_LOCAL_SECTORS_PER_REQUEST)),
                    "sectors of 32 B per request (%s)", quantity_of((double)local, "request").text);
}

static void translation(const struct section *section)
{
    const double walks = (double)section_count(section, SIMSM_COUNTER_TLB_WALKS);
    if (walks > 0)
        section_row(
            section, "translation", quantity_count(walks),
            "pages used for the first time; packets waited %s cycles in all",
            quantity_count((double)section_count(section, SIMSM_COUNTER_TLB_WAIT_CYCLES)).text);
}

static void bank_row(const struct section *section, const char *label, unsigned passes,
                     enum simsm_counter requests, enum simsm_counter conflicts)
{
    double n = (double)section_count(section, requests);
    if (n > 0)
        section_row(section, label, quantity_ratio(section_value(section, passes)),
                    "passes per request (%s%s); bank conflicts added %s",
                    quantity_of(n, "request").text,
                    section_value(section, passes) < 1 ? ", some without an active lane" : "",
                    quantity_count((double)section_count(section, conflicts)).text);
}

static void shared(const struct section *section)
{
    bank_row(section, "shared loads", METRIC_SHARED_LD_PASSES, SIMSM_COUNTER_SHARED_LD_REQUESTS,
             SIMSM_COUNTER_SHARED_LD_CONFLICTS);
    bank_row(section, "shared stores", METRIC_SHARED_ST_PASSES, SIMSM_COUNTER_SHARED_ST_REQUESTS,
             SIMSM_COUNTER_SHARED_ST_CONFLICTS);
    double atomics = (double)section_count(section, SIMSM_COUNTER_SHARED_ATOM_REQUESTS);
    if (atomics > 0)
        section_row(
            section, "shared atomics",
            quantity_ratio((double)section_count(section, SIMSM_COUNTER_SHARED_ATOM_WAVEFRONTS) /
                           atomics),
            "passes per request (%s)", quantity_of(atomics, "request").text);
}

void section_memory(const struct section *section)
{
    section_title(section, "Memory");
    if (section_count(section, SIMSM_COUNTER_MEM_REQUESTS_STARTED) == 0) {
        (void)fprintf(section->file, "  no instruction accessed memory\n");
        return;
    }
    if (section->config->memory_model < SIMSM_FULL_memory_model)
        (void)fprintf(
            section->file,
            "  simplified (memory.model): caches, banks and bandwidth are not modelled\n");
    global(section);
    shared(section);
    translation(section);
    section_memory_links(section);
}

enum { ALSO_SHOWN = 3 };

void section_verdict(const struct section *section)
{
    struct verdict_finding findings[VERDICT_MAX];
    unsigned count = verdict_find(section->config, section->stats, section->metrics, findings);
    char text[512];
    section_title(section, "What limits this kernel");
    section_text(section, 2, findings[0].sentence);
    (void)snprintf(text, sizeof text, "Try: %s", findings[0].hint);
    section_text(section, 2, text);
    for (unsigned i = 1; i < count && i <= ALSO_SHOWN; i++) {
        (void)snprintf(text, sizeof text, "Also: %s", findings[i].sentence);
        section_text(section, 2, text);
    }
}
