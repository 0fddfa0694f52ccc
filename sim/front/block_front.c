/*
 * Keeps the packed instruction sequences of the blocks that are running, and serves them as a
 * front.
 */
#include "front/block_front.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/check.h"
#include "base/err.h"
#include "model/op.h"

enum {
    BUCKETS = 1024, /* more than a small GPU has resident blocks */
    PHASES = 8      /* waits for phases that a warp has in flight: each sets a predicate, of 7 */
};

struct held_warp {
    struct byte_buffer bytes;
    bool ended;
};

/* A write to a word of global memory that warps may wait for. */
struct word_write {
    uint64_t address;
    uint32_t times;
};

/* A block whose instruction sequences are in memory. */
struct held_block {
    struct held_block *next; /* next block of the same bucket, or of the list of spare blocks */
    uint64_t block;
    uint32_t users;             /* warps that have begun and not ended */
    uint32_t ended;             /* warps that have ended */
    struct word_table arrivals; /* at barriers in the block's shared memory */
    struct held_warp warp[];
};

struct block_store {
    pthread_mutex_t lock; /* protects all members below */
    struct block_source source;
    struct block_sink sink; /* put is NULL: no sink */
    struct held_block *bucket[BUCKETS];
    struct held_block *spare;     /* blocks that have ended; their memory serves later blocks */
    struct byte_buffer *produced; /* [warps] */
    struct simsm_error failure;   /* the first failure */
    /* Of a timed launch whose sequences have waits: */
    struct word_table words;    /* of global memory, up to the last exchange */
    struct word_write *written; /* [written_room]; since then */
    size_t written_count, written_room;
};

struct block_front {
    struct front front;   /* must be the first member */
    struct front_ops own; /* operations of a timed launch, if they differ */
    uint32_t warps;
    struct block_store *shared; /* separate: changes while the front is const */
};

/* The cursor of one warp, in the core's memory. */
struct block_cursor {
    struct packed_reader reader;
    struct held_block *held; /* NULL: the block could not be produced */
    uint64_t block;
    uint32_t warp;
    uint32_t phases;        /* waits for phases that have issued */
    uint32_t phase[PHASES]; /* byte offset of the wait with number n at n % PHASES */
};

_Static_assert(sizeof(struct block_cursor) >= BLOCK_CURSOR, "room for another cursor");

static const struct block_front *block_front_of(const struct front *front)
{
    return (const struct block_front *)(const void *)front;
}

static struct held_block **find_held(struct block_store *shared, uint64_t block)
{
    struct held_block **at = &shared->bucket[block % BUCKETS];
    while (*at && (*at)->block != block)
        at = &(*at)->next;
    return at;
}

static void free_held(struct held_block *held, uint32_t warps)
{
    for (uint32_t w = 0; w < warps; w++)
        buffer_free(&held->warp[w].bytes);
    word_table_free(&held->arrivals);
    free(held);
}

static void set_failure(struct block_store *shared, const struct simsm_error *error)
{
    if (shared->failure.status == SIMSM_OK)
        shared->failure = *error;
}

static void set_no_memory(struct block_store *shared)
{
    struct simsm_error error = {.status = SIMSM_OK};
    (void)err_no_memory(&error);
    set_failure(shared, &error);
}

static struct held_block *take_spare(struct block_store *shared, uint32_t warps)
{
    struct held_block *held = shared->spare;
    if (!held)
        return calloc(1, sizeof *held + warps * sizeof *held->warp);
    shared->spare = held->next;
    held->next = NULL;
    held->users = held->ended = 0;
    word_table_clear(&held->arrivals);
    for (uint32_t w = 0; w < warps; w++) {
        held->warp[w].ended = false;
        buffer_clear(&held->warp[w].bytes);
    }
    return held;
}

/*
 * Produces a block and hands it to the sink. Returns NULL on a failure, and always after the first
 * failure, so that the remaining warps end at once.
 */
static struct held_block *produce_block(const struct block_front *self, uint64_t block)
{
    struct block_store *shared = self->shared;
    if (shared->failure.status != SIMSM_OK)
        return NULL;
    struct simsm_error error = {.status = SIMSM_OK};
    struct held_block *held = take_spare(shared, self->warps);
    enum simsm_status status = held ? SIMSM_OK : err_no_memory(&error);
    for (uint32_t w = 0; held && w < self->warps; w++)
        shared->produced[w] = held->warp[w].bytes;
    if (held)
        status = shared->source.produce(shared->source.context, block, shared->produced,
                                        self->warps, &error);
    for (uint32_t w = 0; held && w < self->warps; w++) {
        held->warp[w].bytes = shared->produced[w];
        if (status == SIMSM_OK && held->warp[w].bytes.failed)
            status = err_set(&error, SIMSM_FAILED,
                             "block %llu: out of memory for the instructions of warp %u",
                             (unsigned long long)block, w);
    }
    if (status == SIMSM_OK && shared->sink.put)
        status =
            shared->sink.put(shared->sink.context, block, shared->produced, self->warps, &error);
    if (status == SIMSM_OK) {
        held->block = block;
        return held;
    }
    set_failure(shared, &error);
    if (held)
        free_held(held, self->warps);
    return NULL;
}

static void warp_begin(const struct front *front, void *cursor_, uint64_t block, uint32_t warp)
{
    const struct block_front *self = block_front_of(front);
    struct block_cursor *cursor = cursor_;
    SIMSM_CHECK(warp < self->warps, "warp %u of %u", warp, self->warps);
    (void)pthread_mutex_lock(&self->shared->lock);
    struct held_block **at = find_held(self->shared, block);
    if (!*at)
        *at = produce_block(self, block);
    struct held_block *held = *at;
    if (held) {
        held->users++;
        held->ended -= held->warp[warp].ended;
        held->warp[warp].ended = false;
    }
    (void)pthread_mutex_unlock(&self->shared->lock);
    const struct byte_buffer none = {0};
    const struct byte_buffer *bytes = held ? &held->warp[warp].bytes : &none;
    cursor->held = held;
    cursor->block = block;
    cursor->warp = warp;
    cursor->phases = 0;
    packed_reader_begin(&cursor->reader, front->code, front->code_size, bytes->data, bytes->size);
}

/* Records the error for an instruction sequence that ends without an EXIT. */
static void report_damage(const struct front *front, const struct block_cursor *cursor)
{
    struct block_store *shared = block_front_of(front)->shared;
    struct simsm_error error;
    (void)err_at(&error, SIMSM_BAD_INPUT, front->path, 0, 0,
                 "the instructions of block %llu, warp %u are damaged: they end in the middle",
                 (unsigned long long)cursor->block, cursor->warp);
    (void)pthread_mutex_lock(&shared->lock);
    set_failure(shared, &error);
    (void)pthread_mutex_unlock(&shared->lock);
}

static void warp_next(const struct front *front, void *cursor_, struct warp_inst *inst)
{
    struct block_cursor *cursor = cursor_;
    if (!packed_next(&cursor->reader, inst) && cursor->held)
        report_damage(front, cursor);
}

static void addresses_of(const struct front *front, const void *cursor_,
                         const struct warp_inst *inst, struct lane_addresses *addresses)
{
    const struct block_cursor *cursor = cursor_;
    (void)front;
    packed_addresses(&cursor->reader, inst, addresses);
}

static void wait_of(const struct front *front, const void *cursor_, struct wait *wait)
{
    const struct block_cursor *cursor = cursor_;
    (void)front;
    packed_wait(&cursor->reader, cursor->reader.wait, wait);
}

/* As warp_next(), of a timed launch: the warp has no next instruction while that has to wait for
 * words of global memory. */
static void warp_next_in_time(const struct front *front, void *cursor_, struct warp_inst *inst)
{
    const struct block_cursor *cursor = cursor_;
    struct wait wait;
    uint32_t index;
    bool waits = packed_will_wait(&cursor->reader, &wait, &index) && index < front->code_size &&
                 !op_is_mbarrier(front->code[index].op);
    if (waits && !wait_is_over(&block_front_of(front)->shared->words, &wait))
        *inst = (struct warp_inst){.flags = WARP_INST_WAITS};
    else
        warp_next(front, cursor_, inst);
}

static bool note_write(struct block_store *shared, uint64_t address)
{
    struct word_write *last = shared->written + shared->written_count;
    if (shared->written_count && last[-1].address == address) {
        last[-1].times++;
        return true;
    }
    if (shared->written_count == shared->written_room) {
        size_t room = shared->written_room ? 2 * shared->written_room : 256;
        struct word_write *grown = realloc(shared->written, room * sizeof *grown);
        if (!grown)
            return false;
        shared->written = grown;
        shared->written_room = room;
    }
    shared->written[shared->written_count++] = (struct word_write){address, 1};
    return true;
}

/* Notes writes that others may wait for, and waits that the core has answered later. */
static void issue(const struct front *front, void *cursor_, uint64_t cycle, struct warp_inst *inst)
{
    struct block_store *shared = block_front_of(front)->shared;
    struct block_cursor *cursor = cursor_;
    struct lane_addresses addresses;
    const uint8_t op = front->code[inst->index].op;
    (void)cycle;
    if (op_is_mbarrier(op)) {
        if (op == SIMSM_OP_MBARRIER_WAIT && inst->flags & WARP_INST_WAITS)
            cursor->phase[cursor->phases++ % PHASES] = cursor->reader.wait;
        return;
    }
    if (!(inst->flags & WARP_INST_WRITES))
        return;
    packed_addresses(&cursor->reader, inst, &addresses);
    bool noted = true;
    (void)pthread_mutex_lock(&shared->lock);
    for (uint32_t rest = inst->exec; rest && noted; rest &= rest - 1)
        noted = note_write(shared, lane_address(&addresses, (unsigned)__builtin_ctz(rest)));
    if (!noted)
        set_no_memory(shared);
    (void)pthread_mutex_unlock(&shared->lock);
}

/* Counts the writes since the last exchange. Their order does not matter. */
static bool exchange(const struct front *front, uint64_t cycle)
{
    struct block_store *shared = block_front_of(front)->shared;
    const bool any = shared->written_count != 0;
    bool counted = true;
    (void)cycle;
    for (size_t i = 0; i < shared->written_count && counted; i++)
        counted =
            word_written(&shared->words, shared->written[i].address, shared->written[i].times);
    shared->written_count = 0;
    if (!counted)
        set_no_memory(shared);
    return any;
}

static void arrive(const struct front *front, void *cursor_, uint32_t index, uint64_t address,
                   uint32_t lanes)
{
    const struct block_cursor *cursor = cursor_;
    (void)index;
    if (!cursor->held || word_written(&cursor->held->arrivals, address, bits_count(lanes)))
        return;
    struct block_store *shared = block_front_of(front)->shared;
    (void)pthread_mutex_lock(&shared->lock);
    set_no_memory(shared);
    (void)pthread_mutex_unlock(&shared->lock);
}

/* A wait comes back when it has in the recorded execution, never in vain. */
static bool phase_over(const struct front *front, void *cursor_, uint32_t number, bool give_up)
{
    const struct block_cursor *cursor = cursor_;
    struct wait wait;
    (void)front;
    (void)give_up;
    if (!cursor->held || cursor->phases - number > PHASES)
        return true;
    packed_wait(&cursor->reader, cursor->phase[number % PHASES], &wait);
    return wait_is_over(&cursor->held->arrivals, &wait);
}

static void release_held(struct block_store *shared, struct held_block *held)
{
    struct held_block **at = find_held(shared, held->block);
    SIMSM_CHECK(*at == held, "block %llu is not in its bucket", (unsigned long long)held->block);
    *at = held->next;
    held->next = shared->spare;
    shared->spare = held;
}

/*
 * Ends a warp. The block's memory is released when all its warps have ended, so warps that run one
 * after another find the block still there.
 */
static void warp_end(const struct front *front, void *cursor_)
{
    const struct block_front *self = block_front_of(front);
    struct block_cursor *cursor = cursor_;
    struct held_block *held = cursor->held;
    if (!held)
        return;
    cursor->held = NULL;
    (void)pthread_mutex_lock(&self->shared->lock);
    SIMSM_CHECK(held->users > 0, "block %llu, warp %u", (unsigned long long)cursor->block,
                cursor->warp);
    held->users--;
    held->ended += !held->warp[cursor->warp].ended;
    held->warp[cursor->warp].ended = true;
    if (!held->users && held->ended == self->warps)
        release_held(self->shared, held);
    (void)pthread_mutex_unlock(&self->shared->lock);
}

static enum simsm_status status_of(const struct front *front, struct simsm_error *error)
{
    struct block_store *shared = block_front_of(front)->shared;
    (void)pthread_mutex_lock(&shared->lock);
    enum simsm_status status = shared->failure.status;
    if (status != SIMSM_OK && error)
        *error = shared->failure;
    (void)pthread_mutex_unlock(&shared->lock);
    return status;
}

static void stop_when(const struct front *front, int (*stop)(void))
{
    const struct block_source *source = block_front_source(front);
    if (source->stop_when)
        source->stop_when(source->context, stop);
}

static const struct front_ops block_ops;

/* Returns whether the code may wait for writes of others: recorded waits are at such instructions.
 */
static bool may_wait(const struct front *front)
{
    for (uint32_t i = 0; i < front->code_size; i++) {
        const struct inst *inst = &front->code[i];
        if (inst->past_l1 || op_is_mbarrier(inst->op) ||
            (op_is_atomic(inst->op) && inst->n_destinations))
            return true;
    }
    return false;
}

static enum simsm_status begin_timed(struct front *front, struct simsm_error *error)
{
    const struct block_source *source = block_front_source(front);
    struct block_front *self = (struct block_front *)(void *)front;
    enum simsm_status status =
        source->begin_timed ? source->begin_timed(source->context, error) : SIMSM_OK;
    self->own = block_ops;
    if (may_wait(front)) {
        self->own.warp_next = warp_next_in_time;
        self->own.issue = issue;
        self->own.exchange = exchange;
        self->own.arrive = arrive;
        self->own.phase_over = phase_over;
    }
    if (status == SIMSM_OK && source->issue_instead)
        source->issue_instead(source->context, &self->own);
    front->ops = &self->own;
    return status;
}

static enum simsm_status finish(const struct front *front, struct simsm_error *error)
{
    const struct block_source *source = block_front_source(front);
    return source->finish ? source->finish(source->context, error) : SIMSM_OK;
}

static void free_list(struct held_block *list, uint32_t warps)
{
    while (list) {
        struct held_block *next = list->next;
        free_held(list, warps);
        list = next;
    }
}

static void destroy(struct block_front *self)
{
    struct block_store *shared = self->shared;
    for (unsigned b = 0; b < BUCKETS; b++)
        free_list(shared->bucket[b], self->warps);
    free_list(shared->spare, self->warps);
    shared->source.close(shared->source.context);
    (void)pthread_mutex_destroy(&shared->lock);
    word_table_free(&shared->words);
    free(shared->written);
    free(shared->produced);
    free(shared);
    free(self);
}

static void close_front(struct front *front)
{
    destroy((struct block_front *)(void *)front);
}

static const struct front_ops block_ops = {
    .name = "blocks",
    .close = close_front,
    .warp_begin = warp_begin,
    .warp_next = warp_next,
    .addresses = addresses_of,
    .warp_end = warp_end,
    .wait = wait_of,
    .status = status_of,
    .stop_when = stop_when,
    .begin_timed = begin_timed,
    .finish = finish,
};

enum simsm_status block_front_open(struct front **front, const struct block_source *source,
                                   const struct simsm_launch *launch, const struct inst *code,
                                   const char *const *text, uint32_t code_size, const char *path,
                                   struct simsm_error *error)
{
    uint32_t warps = simsm_block_warps(launch);
    struct block_front *self = calloc(1, sizeof *self);
    struct block_store *shared = calloc(1, sizeof *shared);
    struct byte_buffer *produced = calloc(warps ? warps : 1, sizeof *produced);
    if (!self || !shared || !produced || pthread_mutex_init(&shared->lock, NULL) != 0) {
        free(self);
        free(shared);
        free(produced);
        source->close(source->context);
        return err_no_memory(error);
    }
    shared->source = *source;
    shared->produced = produced;
    self->shared = shared;
    self->warps = warps;
    self->front.ops = &block_ops;
    self->front.launch = *launch;
    self->front.code = code;
    self->front.text = text;
    self->front.code_size = code_size;
    self->front.cursor_size = (sizeof(struct block_cursor) + 15) / 16 * 16;
    (void)snprintf(self->front.path, sizeof self->front.path, "%s", path);
    *front = &self->front;
    return SIMSM_OK;
}

void block_front_copy(struct front *front, const struct block_sink *sink)
{
    block_front_of(front)->shared->sink = *sink;
}

const struct block_source *block_front_source(const struct front *front)
{
    return front->ops->close == close_front ? &block_front_of(front)->shared->source : NULL;
}

enum simsm_status block_front_produce_all(const struct front *front, struct simsm_error *error)
{
    const struct block_front *self = block_front_of(front);
    const uint64_t blocks = simsm_grid_blocks(&front->launch);
    for (uint64_t b = 0; b < blocks; b++) {
        struct held_block *held = produce_block(self, b);
        if (!held)
            break;
        held->next = self->shared->spare;
        self->shared->spare = held;
    }
    return status_of(front, error);
}
