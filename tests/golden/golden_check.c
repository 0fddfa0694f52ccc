/*
 * Golden runs: for each line of goldens.txt
 *
 *     TRACE CONFIG [KEY=VALUE | param.NAME=VALUE ...] : CYCLES INSTRUCTIONS DIGEST
 *
 * simulates it plainly, cycle by cycle without skipping, and with short windows; or, if the second
 * argument is `threads`, on 2, 3, 8 and 64 threads; or, if that is `once`,
 * with short windows alone. All must give the same events, and those of the line: DIGEST is a hash
 * of every event of the run. With REBASELINE=1 in the environment the file is rewritten with what
 * the simulator does now.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simsm/simsm.h"

enum { MAX_WORDS = 32, MAX_LINE = 1024, MAX_SMS = 1024 };

struct digest {
    uint64_t sm[MAX_SMS]; /* one for each SM, since SMs may take turns differently */
};

struct result {
    uint64_t cycles, instructions, digest;
};

struct run {
    const char *trace, *config;
    const char *set[MAX_WORDS], *parameter[MAX_WORDS];
    uint32_t sets, parameters;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 31;
}

static int on_events(void *context, uint32_t sm, const struct simsm_event *events, size_t count)
{
    struct digest *digest = context;
    uint64_t hash = digest->sm[sm];
    for (size_t i = 0; i < count; i++) {
        hash = mix(hash, events[i].cycle);
        hash = mix(hash, (uint64_t)events[i].arg << 32 | (uint64_t)events[i].unit << 16 |
                             (uint64_t)events[i].kind << 8 | events[i].sub);
    }
    digest->sm[sm] = hash;
    return 0;
}

static int fail(const struct run *run, const struct simsm_error *error)
{
    char text[1200];
    (void)fprintf(stderr, "%s on %s: %s\n", run->trace, run->config,
                  simsm_error_text(error, text, sizeof text));
    return 1;
}

static int simulate(const struct run *run, const struct simsm_options *variant,
                    struct result *result)
{
    static struct digest digest;
    struct simsm_config config;
    struct simsm_error error = {0};
    struct simsm *simulation = NULL;
    struct simsm_observer observer = {.wants = UINT32_MAX, .batch = on_events, .context = &digest};
    const struct simsm_observer *observers[] = {&observer, NULL};
    struct simsm_options options = *variant;
    options.observers = observers;
    options.parameters = run->parameter;
    options.check = true;
    memset(&digest, 0, sizeof digest);
    if (simsm_config_load(&config, run->config, &error) != SIMSM_OK)
        return fail(run, &error);
    for (uint32_t i = 0; i < run->sets; i++) {
        if (simsm_config_set(&config, run->set[i], &error) != SIMSM_OK)
            return fail(run, &error);
    }
    int bad = 0;
    if (simsm_open(&simulation, &config, run->trace, &options, &error) != SIMSM_OK ||
        simsm_run(simulation, UINT64_MAX, &error) != SIMSM_OK)
        bad = fail(run, &error);
    if (!bad) {
        const struct simsm_stats *stats = simsm_stats(simulation);
        *result = (struct result){.cycles = stats->cycles,
                                  .instructions = stats->counter[SIMSM_COUNTER_INST_EXECUTED]};
        for (int i = 0; i < MAX_SMS; i++)
            result->digest = mix(result->digest, digest.sm[i]);
    }
    simsm_close(simulation);
    return bad;
}

static int same(const struct run *run, const char *what, const struct result *a,
                const struct result *b)
{
    if (a->cycles == b->cycles && a->instructions == b->instructions && a->digest == b->digest)
        return 1;
    (void)fprintf(stderr,
                  "%s on %s: %s: %llu cycles, %llu instructions, digest %016llx; not %llu, "
                  "%llu, %016llx\n",
                  run->trace, run->config, what, (unsigned long long)b->cycles,
                  (unsigned long long)b->instructions, (unsigned long long)b->digest,
                  (unsigned long long)a->cycles, (unsigned long long)a->instructions,
                  (unsigned long long)a->digest);
    return 0;
}

static int parse(char *line, struct run *run, struct result *expected)
{
    char *colon = strstr(line, " : ");
    unsigned long long cycles, instructions, digest;
    if (!colon || sscanf(colon + 3, "%llu %llu %llx", &cycles, &instructions, &digest) != 3)
        return 0;
    *colon = '\0';
    *expected = (struct result){cycles, instructions, digest};
    *run = (struct run){0};
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
        if (!run->trace)
            run->trace = word;
        else if (!run->config)
            run->config = word;
        else if (strncmp(word, "param.", 6) == 0 && run->parameters + 1 < MAX_WORDS)
            run->parameter[run->parameters++] = word + 6;
        else if (run->sets < MAX_WORDS)
            run->set[run->sets++] = word;
    }
    return run->config != NULL;
}

/* Ways of simulating that all must say the same. */
static const struct {
    const char *what;
    struct simsm_options options;
} ways[] = {
    {"short windows", {.window = 5}}, {"no skipping", {.no_skip = true}},
    {"2 threads", {.threads = 2}},    {"3 threads", {.threads = 3}},
    {"8 threads", {.threads = 8}},    {"64 threads", {.threads = 64}},
};

enum mode { ALL, THREADS, ONCE };

/* Returns whether the mode of a golden runs in this way. */
static bool has_way(enum mode mode, size_t way)
{
    const bool threads = ways[way].options.threads != 0;
    if (mode == THREADS)
        return threads;
    return !threads && (mode == ALL || way == 0);
}

static int check(const struct run *run, const struct result *expected, enum mode mode,
                 struct result *now)
{
    static const struct simsm_options plain;
    struct result other;
    *now = *expected;
    if (mode == ALL && simulate(run, &plain, now))
        return 0;
    int good = same(run, "differs from the recorded run", expected, now);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (has_way(mode, i))
            good &=
                !simulate(run, &ways[i].options, &other) && same(run, ways[i].what, now, &other);
    return good;
}

int main(int argc, char **argv)
{
    char line[MAX_LINE], copy[MAX_LINE];
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    FILE *rewritten = file && getenv("REBASELINE") ? tmpfile() : NULL;
    const char *word = argc > 2 ? argv[2] : "";
    enum mode mode = strcmp(word, "threads") == 0 ? THREADS
                     : strcmp(word, "once") == 0  ? ONCE
                                                  : ALL;
    int runs = 0, bad = 0;
    while (file && fgets(line, sizeof line, file)) {
        struct run run;
        struct result expected, now = {0};
        memcpy(copy, line, sizeof copy);
        if (line[0] != '#' && parse(copy, &run, &expected)) {
            bad += !check(&run, &expected, mode, &now);
            runs++;
            (void)snprintf(strstr(line, " : "), 80, " : %llu %llu %016llx\n",
                           (unsigned long long)now.cycles, (unsigned long long)now.instructions,
                           (unsigned long long)now.digest);
        }
        if (rewritten)
            (void)fputs(line, rewritten);
    }
    if (file)
        (void)fclose(file);
    if (rewritten) {
        rewind(rewritten);
        file = fopen(argv[1], "w");
        while (file && fgets(line, sizeof line, rewritten))
            (void)fputs(line, file);
        return file && fclose(file) == 0 ? 0 : 1;
    }
    (void)printf("%d passed, %d failed\n", runs - bad, bad);
    return bad || !runs;
}
