/* `simsm occupancy`: the report as text, and the names of limits and inputs. */
#include "report/occupancy_show.h"

#include <stdlib.h>
#include <string.h>

#include "draw/bars.h"
#include "draw/label.h"

static const struct {
    const char *key, *label;
} input_names[VARY_COUNT] = {
    [VARY_THREADS] = {"threads_per_block", "threads per block"},
    [VARY_REGISTERS] = {"registers_per_thread", "registers per thread"},
    [VARY_SHARED] = {"shared_bytes_per_block", "shared memory per block"},
    [VARY_CARVEOUT] = {"carveout_bytes", "carve-out"},
};

const char *occupancy_input_key(enum vary_input input)
{
    return input_names[input].key;
}

const char *occupancy_input_label(enum vary_input input)
{
    return input_names[input].label;
}

double occupancy_percent(const struct simsm_occupancy *occupancy)
{
    return occupancy->max_warps ? 100.0 * occupancy->warps / occupancy->max_warps : 0;
}

const char *occupancy_limiters(const struct simsm_occupancy *occupancy, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < SIMSM_LIMIT_COUNT; i++) {
        if (!(occupancy->limiters >> i & 1) || length >= size)
            continue;
        bool more = occupancy->limiters >> (i + 1) != 0;
        const char *joint = !length ? "" : more ? ", " : " and ";
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", joint, simsm_limit_names[i]);
    }
    return text;
}

const char *occupancy_limit_key(enum simsm_limit limit)
{
    static const char *const keys[SIMSM_LIMIT_COUNT] = {
        [SIMSM_LIMIT_WARPS] = "warps",
        [SIMSM_LIMIT_REGISTERS] = "registers",
        [SIMSM_LIMIT_SHARED] = "shared_memory",
        [SIMSM_LIMIT_BLOCKS] = "blocks",
    };
    return keys[limit];
}

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

/* Writes a size as text, in KiB if it is a whole number of KiB. */
static const char *size_text(uint32_t bytes, char *text, size_t size)
{
    if (bytes >= 1024 && bytes % 1024 == 0)
        (void)snprintf(text, size, "%u KiB", bytes / 1024);
    else
        (void)snprintf(text, size, "%u byte%s", bytes, plural(bytes));
    return text;
}

static void show_gpu(FILE *file, const struct occupancy_answer *answer)
{
    const char *name = answer->config->gpu_name;
    label_pad(file, name, label_width(name));
    (void)fprintf(file, "%scompute capability %u.%u", *name ? ", " : "",
                  answer->config->gpu_compute_capability / 10,
                  answer->config->gpu_compute_capability % 10);
}

static void show_heading(FILE *file, const struct occupancy_answer *answer)
{
    const struct simsm_launch *launch = &answer->launch;
    uint32_t threads = simsm_block_threads(launch), warps = answer->result.warps_per_block;
    char shared[32];
    show_gpu(file, answer);
    (void)fputc('\n', file);
    (void)fprintf(file,
                  "blocks of %u thread%s (%u warp%s), %u register%s per thread, %s of shared "
                  "memory per block\n",
                  threads, plural(threads), warps, plural(warps), launch->registers,
                  plural(launch->registers),
                  size_text(vary_get(launch, VARY_SHARED), shared, sizeof shared));
    if (threads % SIMSM_WARP_LANES)
        (void)fprintf(file, "the last warp of a block has %u of its %u lanes\n",
                      threads % SIMSM_WARP_LANES, SIMSM_WARP_LANES);
}

static void show_carveout(FILE *file, const struct occupancy_answer *answer)
{
    const struct simsm_config *config = answer->config;
    const struct simsm_occupancy *result = &answer->result;
    char shared[32], rest[32];
    (void)size_text(result->carveout, shared, sizeof shared);
    if (config->sm_carveouts_count == 0 || config->gpu_compute_capability < 70) {
        (void)fprintf(file, "  carve-out   %s, a memory of its own\n", shared);
        return;
    }
    uint32_t l1 = config->sm_l1_shared_bytes > result->carveout
                      ? config->sm_l1_shared_bytes - result->carveout
                      : 0;
    const char *why = "";
    if (answer->launch.carveout != SIMSM_CARVEOUT_DEFAULT)
        why = result->carveout == answer->launch.carveout ? " (asked for)"
                                                          : " (the next supported size)";
    else if (config->sm_carveout_policy == SIMSM_FIT_carveout_policy)
        why = " (the smallest that holds these blocks)";
    else if (config->sm_carveout_policy == SIMSM_ROOMY_carveout_policy)
        why = " (as the driver chooses: room for more)";
    (void)fprintf(file, "  carve-out   %s for shared memory, %s for L1%s\n", shared,
                  size_text(l1, rest, sizeof rest), why);
}

/* Writes how a limit was computed, such as "8 per block, 32 in the SM". */
static const char *limit_reason(const struct occupancy_answer *answer, enum simsm_limit limit,
                                char *text, size_t size)
{
    const struct simsm_config *config = answer->config;
    const struct simsm_occupancy *result = &answer->result;
    uint32_t subs = config->sm_sub_partitions;
    char one[32], all[32];
    switch (limit) {
    case SIMSM_LIMIT_WARPS:
        (void)snprintf(text, size, "%u per block, %u in the SM", result->warps_per_block,
                       result->max_warps);
        break;
    case SIMSM_LIMIT_REGISTERS:
        (void)snprintf(text, size, "%u per warp, %u in a sub-partition: %u warps in each of %u",
                       result->registers_per_warp, config->sm_registers / subs,
                       config->sm_registers / subs / result->registers_per_warp, subs);
        break;
    case SIMSM_LIMIT_SHARED: {
        uint32_t room = answer->launch.carveout == SIMSM_CARVEOUT_DEFAULT ? config->sm_shared_bytes
                                                                          : result->carveout;
        (void)snprintf(text, size, "%s per block",
                       size_text(result->shared_per_block, one, sizeof one));
        if (config->sm_shared_reserved)
            (void)snprintf(text + strlen(text), size - strlen(text), " (%u reserved)",
                           config->sm_shared_reserved);
        (void)snprintf(text + strlen(text), size - strlen(text), ", %s in the SM",
                       size_text(room, all, sizeof all));
        break;
    }
    default:
        (void)snprintf(text, size, "%u places in the SM", config->sm_max_blocks);
    }
    return text;
}

static void show_limits(FILE *file, const struct occupancy_answer *answer)
{
    const struct simsm_occupancy *result = &answer->result;
    char reason[128], blocks[32];
    (void)fprintf(file, "\n  %-16s%8s\n", "limit", "blocks");
    for (int i = 0; i < SIMSM_LIMIT_COUNT; i++) {
        if (result->limit[i] == SIMSM_NO_LIMIT)
            (void)snprintf(blocks, sizeof blocks, "none");
        else
            (void)snprintf(blocks, sizeof blocks, "%u", result->limit[i]);
        (void)fprintf(file, "%c %-16s%8s   %s\n", result->limiters >> i & 1 ? '>' : ' ',
                      simsm_limit_names[i], blocks,
                      limit_reason(answer, (enum simsm_limit)i, reason, sizeof reason));
    }
}

void occupancy_show_result(FILE *file, const struct occupancy_answer *answer)
{
    const struct simsm_occupancy *result = &answer->result;
    char limiters[64];
    show_heading(file, answer);
    (void)fprintf(file, "\n  occupancy   %.4g %%: %u of %u warps per SM\n",
                  occupancy_percent(result), result->warps, result->max_warps);
    (void)fprintf(file, "  resident    %u block%s of %u warp%s per SM\n", result->blocks,
                  plural(result->blocks), result->warps_per_block, plural(result->warps_per_block));
    (void)fprintf(file, "  limited by  %s\n",
                  occupancy_limiters(result, limiters, sizeof limiters));
    show_carveout(file, answer);
    show_limits(file, answer);
}

static void show_step(FILE *file, const struct occupancy_answer *answer,
                      const struct occupancy_step *step)
{
    const struct simsm_occupancy *now = &answer->result, *then = &step->better.occupancy;
    char change[64];
    (void)snprintf(change, sizeof change, "%u -> %u", vary_get(&answer->launch, step->input),
                   step->better.value);
    (void)fprintf(file, "  %-24s %-16s %u -> %u blocks, %u -> %u warps (%.4g %%)\n",
                  occupancy_input_label(step->input), change, now->blocks, then->blocks, now->warps,
                  then->warps, occupancy_percent(then));
}

/* Prints the better values of one input, or a line that there is none. */
static void show_input(FILE *file, const struct occupancy_answer *answer, enum vary_input input)
{
    static const char *const none[VARY_COUNT] = {
        [VARY_THREADS] = "no other size brings more warps",
        [VARY_REGISTERS] = "fewer bring no more warps",
        [VARY_SHARED] = "less brings no more warps",
        [VARY_CARVEOUT] = "a larger one brings no more warps",
    };
    bool found = false;
    for (int i = 0; i < OCCUPANCY_STEPS; i++) {
        if (answer->steps[i].input != input || !answer->steps[i].found)
            continue;
        show_step(file, answer, &answer->steps[i]);
        found = true;
    }
    bool asked = input != VARY_CARVEOUT || answer->launch.carveout != SIMSM_CARVEOUT_DEFAULT;
    if (!found && asked)
        (void)fprintf(file, "  %-24s %s\n", occupancy_input_label(input), none[input]);
}

void occupancy_show_steps(FILE *file, const struct occupancy_answer *answer)
{
    const struct simsm_occupancy *result = &answer->result;
    char shared[32];
    (void)fprintf(file, "\nNext better value of one input, the others held\n");
    if (result->warps == result->max_warps) {
        (void)fprintf(file, "  none: every warp slot is taken\n");
    } else {
        for (int input = 0; input < VARY_COUNT; input++)
            show_input(file, answer, (enum vary_input)input);
    }
    (void)fprintf(file,
                  "  Room with the same %u block%s: up to %u registers per thread, %s of shared "
                  "memory.\n",
                  result->blocks, plural(result->blocks), answer->room_registers,
                  size_text(answer->room_shared, shared, sizeof shared));
}

static void show_sum(FILE *file, const char *sum, uint32_t value, const char *unit)
{
    (void)fprintf(file, "  %-40s = %6u %s\n", sum, value, unit);
}

void occupancy_show_bounds(FILE *file, const struct occupancy_answer *answer)
{
    const struct bounds *b = &answer->bounds;
    const struct simsm_config *config = answer->config;
    char sum[96];
    (void)fprintf(
        file, "%s__launch_bounds__(%u, %u): at most %u registers per thread for %u of %u warps\n",
        answer->has_launch ? "\n" : "", b->threads, b->blocks, b->registers, b->warps,
        answer->properties[1].value);
    (void)snprintf(sum, sizeof sum, "%u threads / %u, rounded up", b->threads, SIMSM_WARP_LANES);
    show_sum(file, sum, b->warps_per_block, "warps per block");
    (void)snprintf(sum, sizeof sum, "%u blocks x %u warps", b->blocks, b->warps_per_block);
    show_sum(file, sum, b->warps, "warps per SM");
    (void)snprintf(sum, sizeof sum, "%u warps / %u, rounded up", b->warps,
                   config->sm_sub_partitions);
    show_sum(file, sum, b->warps_per_sub, "warps per sub-partition");
    (void)snprintf(sum, sizeof sum, "%u registers / %u", config->sm_registers,
                   config->sm_sub_partitions);
    show_sum(file, sum, b->registers_per_sub, "registers per sub-partition");
    (void)snprintf(sum, sizeof sum, "%u / %u", b->registers_per_sub, b->warps_per_sub);
    show_sum(file, sum, b->share, "registers per warp");
    if (b->block_share < b->share)
        show_sum(file, "a block's most registers / its warps", b->block_share,
                 "registers per warp");
    (void)snprintf(sum, sizeof sum, "rounded down to units of %u", config->sm_register_unit);
    show_sum(file, sum, b->per_warp, "registers per warp");
    (void)snprintf(sum, sizeof sum, "%u / %u threads", b->per_warp, SIMSM_WARP_LANES);
    show_sum(file, sum, b->per_warp / SIMSM_WARP_LANES, "registers per thread");
    if (b->registers < b->per_warp / SIMSM_WARP_LANES)
        show_sum(file, "the most that a thread may have", b->registers, "registers per thread");
}

enum { SIZES = 64, TEXT = 96 };

static void show_best(FILE *file, const struct occupancy_answer *answer, uint32_t count)
{
    unsigned column = 2, shown = 0;
    uint32_t most = answer->properties[1].value;
    (void)fprintf(file, "  best: %u of %u warps (%.4g %%) with blocks of\n ", answer->best_warps,
                  most, 100.0 * answer->best_warps / most);
    for (uint32_t i = 0; i < count; i++) {
        char text[16];
        if (answer->sizes[i].occupancy.warps != answer->best_warps)
            continue;
        int length =
            snprintf(text, sizeof text, "%s%u", shown++ ? ", " : " ", answer->sizes[i].value);
        if (column + (unsigned)length > 76) {
            (void)fprintf(file, ",\n   %s", text + 2);
            column = 2;
        } else {
            (void)fputs(text, file);
        }
        column += (unsigned)length;
    }
    (void)fprintf(file, " threads\n\n");
}

void occupancy_show_advice(FILE *file, const struct occupancy_answer *answer, bool ascii)
{
    struct bar bars[SIZES];
    char labels[SIZES][TEXT], texts[SIZES][TEXT], limiters[64], shared[32];
    uint32_t all = vary_count(answer->config, VARY_THREADS), count = all < SIZES ? all : SIZES;
    size_t shown = 0;
    (void)fprintf(file,
                  "%sBlock sizes for %u registers per thread and %s of shared memory per block\n",
                  answer->has_launch || answer->has_bounds ? "\n" : "", answer->launch.registers,
                  size_text(vary_get(&answer->launch, VARY_SHARED), shared, sizeof shared));
    show_best(file, answer, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct simsm_occupancy *o = &answer->sizes[i].occupancy;
        if (o->blocks == 0)
            continue;
        (void)snprintf(labels[shown], TEXT, "%c%5u", o->warps == answer->best_warps ? '>' : ' ',
                       answer->sizes[i].value);
        (void)snprintf(texts[shown], TEXT, "%5.1f %%  %2u x %2u warps  %s", occupancy_percent(o),
                       o->blocks, o->warps_per_block,
                       occupancy_limiters(o, limiters, sizeof limiters));
        bars[shown] = (struct bar){labels[shown], occupancy_percent(o), texts[shown]};
        shown++;
    }
    bars_text(file, bars, shown, 100, 0, 84, ascii);
}

/* Writes the remark behind a property into text[size]; "" if it has none. */
static void property_note(const struct simsm_config *config, const char *key, char *text,
                          size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    if (strcmp(key, "max_shared_bytes_per_block") == 0 &&
        config->sm_shared_per_block_optin > config->sm_shared_per_block)
        (void)snprintf(text, size, "%u without opt-in", config->sm_shared_per_block);
    if (strcmp(key, "shared_bytes_per_sm") != 0)
        return;
    for (uint32_t i = 0; config->sm_carveouts_count > 1 && i < config->sm_carveouts_count; i++) {
        if (length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%u",
                                       i ? " " : "KiB: ", config->sm_carveouts[i] / 1024);
    }
}

void occupancy_show_properties(FILE *file, const struct occupancy_answer *answer)
{
    char note[128];
    if (answer->has_launch)
        (void)fputc('\n', file);
    show_gpu(file, answer);
    (void)fprintf(file, ": limits of one SM\n");
    for (int i = 0; i < OCCUPANCY_PROPERTIES; i++) {
        const struct occupancy_property *p = &answer->properties[i];
        property_note(answer->config, p->key, note, sizeof note);
        (void)fprintf(file, "  %-36s %8u %s%s%s\n", p->label, p->value, p->unit,
                      note[0] ? "   " : "", note);
    }
}
