/* A recording as a front: reads chunks as blocks are requested, and caches them. */
#include "record/recording_front.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "front/block_front.h"
#include "record/recording_read.h"

/*
 * Chunks that stay uncompressed in memory. Blocks are requested nearly in the order of recording,
 * so that few chunks are in use at a time.
 */
enum { CACHE_CHUNKS = 8 };

struct cached {
    struct byte_buffer payload;
    size_t *offset; /* [room] offsets in the payload at which each warp's sequence begins, and the
                       end: blocks of the chunk x warps + 1 */
    size_t room;
    uint64_t used; /* clock value of the latest use; 0: the entry is empty */
    uint32_t chunk;
};

struct recording {
    struct record_file *file;
    struct launch_read about;
    uint32_t number, warps;
    uint64_t clock;
    struct cached cache[CACHE_CHUNKS];
};

static void close_recording(void *context)
{
    struct recording *recording = context;
    for (int i = 0; i < CACHE_CHUNKS; i++) {
        buffer_free(&recording->cache[i].payload);
        free(recording->cache[i].offset);
    }
    launch_read_free(&recording->about);
    record_file_close(recording->file);
    free(recording);
}

static const struct record_launch *launch_of(const struct recording *recording)
{
    return &recording->file->launch[recording->number];
}

/* Returns the run that contains `block`. The runs are sorted by their first block. */
static const struct record_run *find_run(const struct recording *recording, uint64_t block)
{
    const struct record_run *run = launch_of(recording)->run;
    uint32_t low = 0, high = launch_of(recording)->runs;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        *(run[middle].first <= block ? &low : &high) = middle;
    }
    return &run[low];
}

/*
 * Fills cached->offset from the lengths at the start of a chunk. Returns false if the lengths are
 * invalid.
 */
static bool locate_sequences(struct cached *cached, size_t sequences)
{
    struct smtr_cursor cursor = {.at = cached->payload.data,
                                 .end = cached->payload.data + cached->payload.size};
    size_t *offset = cached->offset, at = 0;
    for (size_t i = 0; i < sequences; i++) {
        offset[i] = at;
        at += (size_t)smtr_take_number(&cursor, PACKED_MAX_BYTES);
        if (at > cached->payload.size)
            return false;
    }
    offset[sequences] = at;
    for (size_t i = 0; i <= sequences; i++)
        offset[i] += (size_t)(cursor.at - cached->payload.data);
    return !cursor.failed && offset[sequences] == cached->payload.size;
}

static bool make_room(struct cached *cached, size_t offsets)
{
    if (offsets <= cached->room)
        return true;
    free(cached->offset);
    cached->offset = malloc(offsets * sizeof *cached->offset);
    cached->room = cached->offset ? offsets : 0;
    return cached->offset != NULL;
}

static enum simsm_status load_chunk(struct recording *recording, struct cached *cached,
                                    uint32_t chunk, struct simsm_error *error)
{
    const struct record_chunk *from = &launch_of(recording)->chunk[chunk];
    size_t sequences = (size_t)from->blocks * recording->warps;
    cached->used = 0;
    enum simsm_status status =
        record_file_chunk(recording->file, recording->number, chunk, &cached->payload, error);
    if (status != SIMSM_OK)
        return status;
    bool good = sequences <= cached->payload.size; /* each length takes at least one byte */
    if (good && !make_room(cached, sequences + 1))
        return err_no_memory(error);
    good = good && locate_sequences(cached, sequences);
    cached->chunk = chunk;
    if (good)
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, recording->file->path, 0, 0,
                  "the recording is damaged at byte %llu: a list of lengths is invalid; "
                  "record it again",
                  (unsigned long long)from->offset);
}

static enum simsm_status get_chunk(struct recording *recording, uint32_t chunk,
                                   const struct cached **result, struct simsm_error *error)
{
    struct cached *oldest = recording->cache;
    for (int i = 0; i < CACHE_CHUNKS; i++) {
        struct cached *cached = &recording->cache[i];
        if (cached->used && cached->chunk == chunk) {
            cached->used = ++recording->clock;
            *result = cached;
            return SIMSM_OK;
        }
        oldest = cached->used < oldest->used ? cached : oldest;
    }
    enum simsm_status status = load_chunk(recording, oldest, chunk, error);
    if (status == SIMSM_OK)
        oldest->used = ++recording->clock;
    *result = oldest;
    return status;
}

static enum simsm_status produce(void *context, uint64_t block, struct byte_buffer *warp,
                                 uint32_t warps, struct simsm_error *error)
{
    struct recording *recording = context;
    const struct record_run *run = find_run(recording, block);
    const struct cached *cached;
    enum simsm_status status = get_chunk(recording, run->chunk, &cached, error);
    if (status != SIMSM_OK)
        return status;
    SIMSM_CHECK(block - run->first < run->count && warps == recording->warps,
                "block %llu of %llu from %llu, %u warps of %u", (unsigned long long)block,
                (unsigned long long)run->count, (unsigned long long)run->first, warps,
                recording->warps);
    size_t first = (size_t)(run->place + (block - run->first)) * warps;
    for (uint32_t w = 0; w < warps; w++) {
        size_t begin = cached->offset[first + w];
        buffer_add(&warp[w], cached->payload.data + begin, cached->offset[first + w + 1] - begin);
    }
    return SIMSM_OK;
}

static int compare_first(const void *a, const void *b)
{
    const struct record_run *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Sorts the runs and checks that they hold each block of the grid exactly once. */
static enum simsm_status check_blocks(struct recording *recording, struct simsm_error *error)
{
    const struct record_launch *launch = launch_of(recording);
    uint64_t blocks = simsm_grid_blocks(&recording->about.launch), next = 0;
    qsort(launch->run, launch->runs, sizeof *launch->run, compare_first);
    for (uint32_t i = 0; i < launch->runs && launch->run[i].first == next; i++)
        next += launch->run[i].count;
    if (launch->runs && next == blocks)
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, recording->file->path, 0, 0,
                  "the recording is damaged: block %llu of the grid's %llu is missing, or "
                  "recorded twice; record it again",
                  (unsigned long long)next, (unsigned long long)blocks);
}

static enum simsm_status check_barriers(const struct recording *recording,
                                        const struct simsm_config *config,
                                        struct simsm_error *error)
{
    for (uint32_t i = 0; config && i < recording->about.code_size; i++) {
        const struct inst *inst = &recording->about.code[i];
        if (inst->op == SIMSM_OP_BARRIER && inst->barrier >= config->barrier_count &&
            inst->barrier != BARRIER_WARPGROUP)
            return err_at(error, SIMSM_BAD_INPUT, recording->file->path, inst->line, 0,
                          "a block has barriers 0 to %u (barrier.count); this is %u: %s",
                          config->barrier_count - 1, inst->barrier, recording->about.text[i]);
    }
    return SIMSM_OK;
}

/* Chooses the launch: the parameter "launch=N", or the only launch of the file. */
static enum simsm_status choose_launch(struct recording *recording, const char *const *params,
                                       struct simsm_error *error)
{
    const struct record_file *file = recording->file;
    bool chosen = false;
    for (; params && *params; params++) {
        const char *value = strncmp(*params, "launch=", 7) == 0 ? *params + 7 : "";
        char *end = NULL;
        errno = 0;
        unsigned long number = *value >= '0' && *value <= '9' ? strtoul(value, &end, 10) : 0;
        if (!end || *end)
            return err_at(error, SIMSM_BAD_INPUT, file->path, 0, 0,
                          "is a recording, which has only the parameter launch=N; found '%s'",
                          *params);
        if (errno || !number || number > file->launches)
            return err_at(error, SIMSM_BAD_INPUT, file->path, 0, 0,
                          "has launches 1 to %u; found '%s'", file->launches, *params);
        recording->number = (uint32_t)number - 1;
        chosen = true;
    }
    if (chosen || file->launches == 1)
        return SIMSM_OK;
    return err_at(
        error, SIMSM_BAD_INPUT, file->path, 0, 0,
        "holds %u kernel launches; choose one with --launch-number 1 to %u; `simsm trace info` "
        "lists them",
        file->launches, file->launches);
}

static enum simsm_status read_launch(struct recording *recording, const struct simsm_config *config,
                                     const char *const *params, struct simsm_error *error)
{
    enum simsm_status status = choose_launch(recording, params, error);
    if (status == SIMSM_OK)
        status = record_file_launch(recording->file, recording->number, &recording->about, error);
    if (status == SIMSM_OK)
        status = check_blocks(recording, error);
    if (status == SIMSM_OK)
        status = check_barriers(recording, config, error);
    recording->warps = simsm_block_warps(&recording->about.launch);
    return status;
}

enum simsm_status recording_open_file(struct front **front, FILE *input, const char *path,
                                      const struct simsm_config *config, const char *const *params,
                                      struct simsm_error *error)
{
    struct recording *recording = calloc(1, sizeof *recording);
    if (!recording) {
        (void)fclose(input);
        return err_no_memory(error);
    }
    enum simsm_status status = record_file_open(&recording->file, input, path, error);
    if (status == SIMSM_OK)
        status = read_launch(recording, config, params, error);
    if (status != SIMSM_OK) {
        close_recording(recording);
        return status;
    }
    const struct launch_read *about = &recording->about;
    const struct block_source source = {
        .produce = produce, .close = close_recording, .context = recording};
    status = block_front_open(front, &source, &about->launch, about->code, about->text,
                              about->code_size, path, error);
    if (status == SIMSM_OK) {
        (*front)->memory = about->memory;
        (void)snprintf((*front)->paths, sizeof(*front)->paths, "%s", about->paths);
    }
    return status;
}

enum simsm_status recording_open(struct front **front, const char *path,
                                 const struct simsm_config *config, const char *const *params,
                                 struct simsm_error *error)
{
    FILE *input = fopen(path, "rb");
    if (!input)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "cannot read this recording: %s",
                      strerror(errno));
    return recording_open_file(front, input, path, config, params, error);
}

static struct recording *recording_of(const struct front *front)
{
    const struct block_source *source = block_front_source(front);
    return source && source->close == close_recording ? source->context : NULL;
}

bool recording_about(const struct front *front, struct recording_about *about)
{
    const struct recording *recording = recording_of(front);
    if (!recording)
        return false;
    *about = (struct recording_about){
        .launch = recording->number,
        .launches = recording->file->launches,
        .program = recording->about.program,
        .command = recording->about.command,
        .source = recording->about.source,
        .bytes = recording->file->size,
    };
    return true;
}

enum simsm_status recording_launch(const struct front *front, uint32_t number,
                                   struct simsm_launch *launch, struct simsm_error *error)
{
    struct launch_read about;
    enum simsm_status status = record_file_launch(recording_of(front)->file, number, &about, error);
    if (status != SIMSM_OK)
        return status;
    *launch = about.launch;
    launch_read_free(&about);
    return SIMSM_OK;
}
