/*
 * Holds simsm's occupancy against NVIDIA's cuda_occupancy.h over every distinct case: warps per
 * block x registers in allocation units x shared memory in allocation units x carve-outs.
 *
 *   check_occupancy FILE      compares with the header where this build has it, and always with
 *                             FILE, which holds what the header said
 *   check_occupancy --record  writes such a file, from the header, to the standard output
 *
 * FILE has one line for a slice of cases (a hash of the outcomes) and one for a sample (the outcome
 * itself). Both modes make the same lines in the same order, so that comparing lines is enough.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "occupancy/outcome.h"

enum { MAX_WARPS = 33, UNITS = 34, RANDOM_CASES = 50000, SAMPLES = 40 };

struct check {
    FILE *recorded; /* NULL: recording */
    uint64_t cases, compared, wrong;
    const struct gpu *gpu;
    struct simsm_config config;
};

static void complain(struct check *check, const struct launch_case *c, struct outcome got,
                     struct outcome expected)
{
    if (check->wrong++ > 20)
        return;
    (void)fprintf(stderr,
                  "compute capability %u, %u threads, %u registers, %u + %u bytes, carve-out %d: "
                  "expected %016" PRIx64 " %016" PRIx64 ", got %016" PRIx64 " %016" PRIx64 "\n",
                  check->gpu->capability, c->threads, c->registers, c->shared_static,
                  c->shared_dynamic, c->carveout, expected.limits, expected.resources, got.limits,
                  got.resources);
}

/* Evaluates one case by simsm and, if the header is there, by the header. Both must agree. */
static struct outcome evaluate(struct check *check, const struct launch_case *c)
{
    struct outcome got, expected;
    check->cases++;
    got = outcome_simsm(&check->config, c);
    if (!outcome_header(check->gpu, c, &expected)) {
        check->wrong += !check->recorded; /* only the header's word may be recorded */
        return got;
    }
    check->compared++;
    if (got.limits != expected.limits || got.resources != expected.resources)
        complain(check, c, got, expected);
    return check->recorded ? got : expected;
}

static uint64_t mix(uint64_t hash, struct outcome outcome)
{
    hash = (hash ^ outcome.limits) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
    hash = (hash ^ outcome.resources) * UINT64_C(0xc2b2ae3d27d4eb4f);
    return hash ^ hash >> 29;
}

/* A line of the file: written while recording, else compared with what was written. */
static void line(struct check *check, const char *text)
{
    char expected[512] = "";
    if (!check->recorded) {
        (void)puts(text);
        return;
    }
    do {
        if (!fgets(expected, sizeof expected, check->recorded))
            (void)snprintf(expected, sizeof expected, "(the end of the file)");
    } while (expected[0] == '#');
    expected[strcspn(expected, "\n")] = '\0';
    if (strcmp(expected, text) == 0)
        return;
    if (check->wrong++ <= 20)
        (void)fprintf(stderr, "recorded: %s\n     now: %s\n", expected, text);
}

/* Registers per thread of each distinct allocation, 0 and one too many included. */
static uint32_t registers_of(unsigned unit)
{
    return unit < UNITS - 2 ? unit * 8 : unit == UNITS - 2 ? 255 : 257;
}

static uint64_t slice_hash(struct check *check, uint32_t threads, int carveout)
{
    uint64_t hash = 0;
    struct launch_case c = {.threads = threads, .carveout = carveout};
    uint32_t step = check->gpu->unit;
    for (unsigned unit = 0; unit < UNITS; unit++) {
        c.registers = registers_of(unit);
        for (c.shared_dynamic = 0; c.shared_dynamic <= check->gpu->optin_kib * 1024 + step;
             c.shared_dynamic += step)
            hash = mix(hash, evaluate(check, &c));
    }
    return hash;
}

/* All cases at one carve-out: a line with a hash for each number of warps per block. */
static void slices(struct check *check, int carveout)
{
    char text[512];
    int length = snprintf(text, sizeof text, "slice %u %d", check->gpu->capability, carveout);
    for (uint32_t warps = 1; warps <= MAX_WARPS; warps++) {
        uint64_t hash = slice_hash(check, warps * 32, carveout);
        length += snprintf(text + length, sizeof text - (size_t)length, " %08" PRIx32,
                           (uint32_t)(hash >> 32));
    }
    line(check, text);
}

/* Smallest percentage that leads to each carve-out choice. */
static void all_carveouts(struct check *check)
{
    const struct gpu *gpu = check->gpu;
    slices(check, -1);
    unsigned choices = gpu_carveouts(gpu);
    for (unsigned i = 0; i < choices; i++) {
        unsigned below = i ? gpu->carveouts_kib[i - 1] : 0;
        int percent = 0;
        while (i && (unsigned)percent * gpu->shared_kib * 1024 / 100 <= below * 1024)
            percent++;
        slices(check, percent);
    }
}

/* Every percentage x shared memory in units, for a block of one warp. */
static void all_percentages(struct check *check)
{
    char text[64];
    uint64_t hash = 0;
    struct launch_case c = {.threads = 32, .registers = 8};
    for (c.carveout = 0; c.carveout <= 100; c.carveout++) {
        for (c.shared_dynamic = 0; c.shared_dynamic <= check->gpu->optin_kib * 1024;
             c.shared_dynamic += check->gpu->unit)
            hash = mix(hash, evaluate(check, &c));
    }
    (void)snprintf(text, sizeof text, "percentages %u %016" PRIx64, check->gpu->capability, hash);
    line(check, text);
}

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % below);
}

/* Cases with any number of threads, registers and bytes; the first of them become samples. */
static void random_cases(struct check *check)
{
    char text[256];
    uint64_t hash = 0, state = check->gpu->capability;
    for (unsigned i = 0; i < RANDOM_CASES; i++) {
        struct launch_case c = {.threads = 1 + draw(&state, 1056), .registers = draw(&state, 129)};
        c.registers = i % 4 ? c.registers : c.registers * 2;
        c.registers += c.registers == 256; /* the header lets 256 pass where the ISA has 255 */
        c.shared_static = draw(&state, 2) ? draw(&state, 48 * 1024 + 1) : 0;
        c.shared_dynamic = draw(&state, check->gpu->optin_kib * (i % 8 ? 128 : 1060));
        c.carveout = draw(&state, 2) ? (int)draw(&state, 101) : -1;
        struct outcome o = evaluate(check, &c);
        hash = mix(hash, o);
        if (i >= SAMPLES)
            continue;
        (void)snprintf(text, sizeof text,
                       "sample %u threads %u registers %u static %u dynamic %u carveout %d: blocks "
                       "%u limits %u %u %u %u",
                       check->gpu->capability, c.threads, c.registers, c.shared_static,
                       c.shared_dynamic, c.carveout, (unsigned)(o.resources & 0xff),
                       (unsigned)(o.limits & 0xffff), (unsigned)(o.limits >> 16 & 0xffff),
                       (unsigned)(o.limits >> 32 & 0xffff), (unsigned)(o.limits >> 48));
        line(check, text);
    }
    (void)snprintf(text, sizeof text, "random %u %016" PRIx64, check->gpu->capability, hash);
    line(check, text);
}

static void all_gpus(struct check *check)
{
    for (check->gpu = gpus; check->gpu->capability; check->gpu++) {
        gpu_config(check->gpu, &check->config);
        all_carveouts(check);
        all_percentages(check);
        random_cases(check);
    }
}

static int begin_recording(void)
{
    const char *version = outcome_header_version();
    if (!version) {
        (void)fprintf(stderr, "check_occupancy: built without cuda_occupancy.h: cannot record\n");
        return 2;
    }
    (void)printf(
        "# What NVIDIA's cuda_occupancy.h says (%s).\n"
        "# Made by: check_occupancy --record > tests/occupancy/recorded.txt\n"
        "#   slice CAPABILITY CARVEOUT%% HASH...   blocks of 1 to %d warps: a hash over all\n"
        "#     registers and shared memory in allocation units; -1: default carve-out\n"
        "#   percentages, random: hashes over every carve-out, and over arbitrary values\n"
        "#   sample: a case; its limits are warps, registers, shared memory, blocks; 65535: "
        "none\n",
        version, MAX_WARPS);
    return 0;
}

int main(int argc, char **argv)
{
    struct check check = {0};
    if (argc != 2) {
        (void)fprintf(stderr, "Usage: check_occupancy FILE | --record\n");
        return 2;
    }
    if (strcmp(argv[1], "--record") == 0) {
        if (begin_recording() != 0)
            return 2;
    } else if (!(check.recorded = fopen(argv[1], "r"))) {
        perror(argv[1]);
        return 2;
    }
    all_gpus(&check);
    if (check.recorded) {
        char rest[64];
        if (fgets(rest, sizeof rest, check.recorded)) {
            check.wrong++;
            (void)fprintf(stderr, "recorded, but not made now: %s", rest);
        }
        (void)fclose(check.recorded);
    }
    (void)fprintf(stderr,
                  "%" PRIu64 " cases, %" PRIu64 " compared with the header, %" PRIu64 " wrong\n",
                  check.cases, check.compared, check.wrong);
    return check.wrong != 0;
}
