/* Writes the meta block of a timeline file. */
#include "observe/run_description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "language/language.h"
#include "simsm/simsm.h"

/* Appends a section: its number, its length and the bytes of `part`, which is then empty. */
static void add_section(struct byte_buffer *payload, enum smtl_section section,
                        struct byte_buffer *part)
{
    buffer_add_varint(payload, section);
    buffer_add_varint(payload, part->size);
    buffer_add(payload, part->data, part->size);
    payload->failed |= part->failed;
    part->size = 0;
}

static void add_text_section(struct byte_buffer *payload, enum smtl_section section,
                             struct byte_buffer *part, const char *text)
{
    buffer_add_text(part, text);
    add_section(payload, section, part);
}

static enum simsm_status add_config(struct byte_buffer *payload, struct byte_buffer *part,
                                    const struct simsm_config *config, struct simsm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return err_no_memory(error);
    enum simsm_status status = simsm_config_dump(config, memory, error);
    if (fclose(memory) != 0 && status == SIMSM_OK)
        status = err_no_memory(error);
    if (status == SIMSM_OK)
        add_text_section(payload, SMTL_CONFIG, part, text);
    free(text);
    return status;
}

static void add_gpu(struct byte_buffer *part, const struct simsm_config *config, uint32_t slots)
{
    buffer_add_text(part, config->gpu_name);
    buffer_add_varint(part, config->gpu_sms);
    buffer_add_varint(part, config->sm_sub_partitions);
    buffer_add_varint(part, slots);
    buffer_add_varint(part, (uint64_t)(config->gpu_clock_mhz * 1000.0 + 0.5));
}

static void add_launch(struct byte_buffer *part, const struct simsm_launch *launch)
{
    buffer_add_text(part, launch->name);
    for (int i = 0; i < 3; i++)
        buffer_add_varint(part, launch->grid[i]);
    for (int i = 0; i < 3; i++)
        buffer_add_varint(part, launch->block[i]);
    buffer_add_varint(part, launch->registers);
    buffer_add_varint(part, launch->shared_static);
    buffer_add_varint(part, launch->shared_dynamic);
    buffer_add_varint(part, launch->carveout);
}

/* Adds the section of clusters, if the launch has clusters. */
static void add_cluster(struct byte_buffer *payload, struct byte_buffer *part,
                        const struct simsm_launch *launch)
{
    if (!launch->cluster[0])
        return;
    for (int i = 0; i < 3; i++)
        buffer_add_varint(part, launch->cluster[i]);
    add_section(payload, SMTL_CLUSTER, part);
}

static void add_occupancy(struct byte_buffer *part, const struct simsm_occupancy *occupancy)
{
    buffer_add_varint(part, occupancy->blocks);
    buffer_add_varint(part, occupancy->warps);
    buffer_add_varint(part, occupancy->warps_per_block);
    buffer_add_varint(part, occupancy->max_warps);
    buffer_add_varint(part, occupancy->limiters);
    buffer_add_varint(part, occupancy->registers_per_warp);
    buffer_add_varint(part, occupancy->shared_per_block);
    buffer_add_varint(part, occupancy->carveout);
    for (int i = 0; i < SIMSM_LIMIT_COUNT; i++)
        buffer_add_varint(part, occupancy->limit[i]);
}

static void add_recording(struct byte_buffer *part, const struct recorded_range *recording)
{
    buffer_add_varint(part, recording->from);
    buffer_add_varint(part, recording->to);
    buffer_add_varint(part, recording->sm_count);
    for (uint32_t i = 0; i < recording->sm_count; i++)
        buffer_add_varint(part, recording->sm[i]);
}

static void add_colour(struct byte_buffer *part, uint32_t colour)
{
    uint8_t bytes[3] = {(uint8_t)(colour >> 16), (uint8_t)(colour >> 8), (uint8_t)colour};
    buffer_add(part, bytes, sizeof bytes);
}

static void add_states(struct byte_buffer *part)
{
    buffer_add_varint(part, SIMSM_STATE_COUNT);
    for (int i = 0; i < SIMSM_STATE_COUNT; i++) {
        const struct simsm_state_info *state = &simsm_states[i];
        buffer_add_text(part, state->name);
        buffer_add_text(part, state->title);
        buffer_add_text(part, state->meaning);
        buffer_add(part, &state->letter, 1);
        buffer_add(part, &state->xterm, 1);
        add_colour(part, state->dark);
        add_colour(part, state->light);
    }
}

static void add_ops(struct byte_buffer *part, const struct simsm_config *config)
{
    buffer_add_varint(part, SIMSM_OP_COUNT);
    for (int i = 0; i < SIMSM_OP_COUNT; i++) {
        buffer_add_text(part, simsm_ops[i].name);
        buffer_add_varint(part, simsm_ops[i].route);
        buffer_add_varint(part, config->ops[i].pipe);
        buffer_add_varint(part, config->ops[i].latency);
        buffer_add_varint(part, config->ops[i].interval);
    }
}

static void add_pipes(struct byte_buffer *part, const struct simsm_config *config)
{
    buffer_add_varint(part, SIMSM_PIPE_COUNT);
    for (int i = 0; i < SIMSM_PIPE_COUNT; i++) {
        buffer_add_text(part, simsm_pipes[i].name);
        buffer_add_varint(part, config->pipe_shared[i]);
    }
}

/*
 * The memory models `ideal` and `fixed` have no caches. The levels are named after what answers in
 * their place.
 */
static void add_levels(struct byte_buffer *part, const struct simsm_config *config)
{
    static const char *const plain[] = {
        [SIMSM_IDEAL_memory_model] = N_("ideal memory without caches"),
        [SIMSM_FIXED_memory_model] = N_("a memory of fixed latency without caches"),
    };
    buffer_add_varint(part, SIMSM_LEVEL_COUNT);
    for (int i = 0; i < SIMSM_LEVEL_COUNT; i++)
        buffer_add_text(part,
                        config->memory_model < SIMSM_FULL_memory_model && i != SIMSM_LEVEL_SHARED
                            ? plain[config->memory_model]
                            : simsm_levels[i]);
}

static void add_ranges(struct byte_buffer *part, const struct reg_range *range, uint32_t count)
{
    buffer_add_varint(part, count);
    for (uint32_t i = 0; i < count; i++) {
        buffer_add_varint(part, range[i].first);
        buffer_add_varint(part, range[i].count);
    }
}

static void add_code(struct byte_buffer *part, const struct front *front)
{
    buffer_add_varint(part, front->code_size);
    for (uint32_t i = 0; i < front->code_size; i++) {
        const struct inst *inst = &front->code[i];
        buffer_add_text(part, front->text[i]);
        buffer_add_varint(part, inst->pc);
        buffer_add_varint(part, inst->line);
        buffer_add_varint(part, inst->op);
        buffer_add_varint(part, inst->width);
        buffer_add_varint(part, inst->barrier);
        buffer_add_varint(part, inst->barrier_arrive);
        add_ranges(part, inst->source, inst->n_sources);
        add_ranges(part, inst->destination, inst->n_destinations);
    }
}

/*
 * Adds the names of the source files. Then, for each instruction, 1 + the index of its file in that
 * list; 0: unknown.
 */
static void add_sources(struct byte_buffer *part, const struct front *front)
{
    const char *const *source = front->source;
    uint32_t *place = calloc(front->code_size ? front->code_size : 1, sizeof *place);
    const char **name = calloc(front->code_size ? front->code_size : 1, sizeof *name);
    uint32_t names = 0;
    part->failed |= !place || !name;
    for (uint32_t i = 0; !part->failed && i < front->code_size; i++) {
        uint32_t n = 0;
        while (source[i] && n < names && strcmp(name[n], source[i]) != 0)
            n++;
        if (source[i] && n == names)
            name[names++] = source[i];
        place[i] = source[i] ? n + 1 : 0;
    }
    buffer_add_varint(part, names);
    for (uint32_t i = 0; i < names; i++)
        buffer_add_text(part, name[i]);
    for (uint32_t i = 0; !part->failed && i < front->code_size; i++)
        buffer_add_varint(part, place[i]);
    free(place);
    free(name);
}

enum simsm_status run_description_write(struct byte_buffer *payload,
                                        const struct simsm_config *config,
                                        const struct timeline_about *about,
                                        const struct recorded_range *recording,
                                        struct simsm_error *error)
{
    struct byte_buffer part = {0};
    add_text_section(payload, SMTL_PROGRAM, &part, "simsm " SIMSM_VERSION);
    add_text_section(payload, SMTL_COMMAND, &part, about->command_line);
    enum simsm_status status = add_config(payload, &part, config, error);
    add_text_section(payload, SMTL_TRACE, &part, about->front->path);
    add_gpu(&part, config, recording->slots);
    add_section(payload, SMTL_GPU, &part);
    add_launch(&part, &about->front->launch);
    add_section(payload, SMTL_LAUNCH, &part);
    add_cluster(payload, &part, &about->front->launch);
    add_occupancy(&part, about->occupancy);
    add_section(payload, SMTL_OCCUPANCY, &part);
    add_recording(&part, recording);
    add_section(payload, SMTL_RECORDING, &part);
    add_states(&part);
    add_section(payload, SMTL_STATES, &part);
    add_ops(&part, config);
    add_section(payload, SMTL_OPS, &part);
    add_pipes(&part, config);
    add_section(payload, SMTL_PIPES, &part);
    add_levels(&part, config);
    add_section(payload, SMTL_LEVELS, &part);
    add_code(&part, about->front);
    add_section(payload, SMTL_CODE, &part);
    if (about->front->source) {
        add_sources(&part, about->front);
        add_section(payload, SMTL_SOURCES, &part);
    }
    buffer_free(&part);
    if (status != SIMSM_OK)
        return status;
    return payload->failed ? err_no_memory(error) : SIMSM_OK;
}
