/*
 * MODEL: loads and stores of 1 to 16 bytes for each lane. Where lanes store to the same place, 128
 * bytes are stored at a time: of the lanes in one such part the lowest lane's value stays, and a
 * later part replaces an earlier part.
 * SOURCE: order of stores: measured on an H200 (docs/machine-code.md, What is executed); PTX ISA,
 * ld, st.
 * LEFT OUT: caches and weak ordering do not change values here.
 */
#include "exec/memory/load_store.h"

#include <string.h>

#include "exec/async/mbarrier.h"
#include "exec/memory/pending.h"

/* Values of SASS_MOD_SIZE. */
enum { U8, S8, U16, S16, B32, B64, B128, SIZES };
static const uint8_t bytes_of[SIZES] = {1, 1, 2, 2, 4, 8, 16};

static uint32_t load_word(const uint8_t *from, uint32_t size)
{
    uint16_t half;
    uint32_t word;
    switch (size) {
    case U8:
        return *from;
    case S8:
        return (uint32_t)(int32_t)(int8_t)*from;
    case U16:
        memcpy(&half, from, sizeof half);
        return half;
    case S16:
        memcpy(&half, from, sizeof half);
        return (uint32_t)(int32_t)(int16_t)half;
    default:
        memcpy(&word, from, sizeof word);
        return word;
    }
}

/* Returns the row of word `word` of the destination; results without a register go to the sink. */
static uint32_t *destination(struct exec_warp *warp, const struct exec_inst *inst, uint32_t word)
{
    return exec_row_to(warp, inst->d + word);
}

/* Loads from the memory of `places`, with elements of `size`. */
static inline void load(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                        exec_places_fn *places, const uint32_t size)
{
    uint8_t *place[EXEC_LANES];
    if (!places(warp, inst, lanes, place))
        return;
    const uint32_t words = size == B64 ? 2 : size == B128 ? 4 : 1;
    for (uint32_t word = 0; word < words; word++) {
        uint32_t *row = destination(warp, inst, word);
        if (lanes == UINT32_MAX) {
            for (unsigned lane = 0; lane < EXEC_LANES; lane++)
                row[lane] = load_word(place[lane] + (size_t)4 * word, size);
            continue;
        }
        for (uint32_t left = lanes; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            row[lane] = load_word(place[lane] + (size_t)4 * word, size);
        }
    }
}

/* Writes the low `bytes` bytes of `value`. Returns whether this changed memory. */
static inline bool put(uint8_t *to, uint32_t value, uint32_t bytes)
{
    uint32_t old = 0;
    if (bytes == 1) {
        old = *to;
        *to = (uint8_t)value;
        return old != (uint8_t)value;
    }
    if (bytes == 2) {
        memcpy(&old, to, 2);
        memcpy(to, &value, 2);
        return (uint16_t)old != (uint16_t)value;
    }
    memcpy(&old, to, 4);
    memcpy(to, &value, 4);
    return old != value;
}

/*
 * Stores at once, as exec_store(). 128 bytes are stored at a time. Within such a part the lowest
 * lane is last, so its value stays; a later part replaces an earlier part (measured on an H200).
 * Returns whether this changed memory.
 */
static inline bool store_now(struct exec_warp *warp, uint32_t data, uint32_t lanes,
                             uint8_t *const place[EXEC_LANES], uint32_t element, uint32_t words)
{
    const uint32_t together = words == 4 ? 0xff : words == 2 ? 0xffff : UINT32_MAX;
    bool changed = false;
    for (uint32_t first = 0; first < EXEC_LANES; first += EXEC_LANES / words) {
        for (uint32_t left = lanes & together << first; left;) {
            unsigned lane = 31 - (unsigned)__builtin_clz(left);
            left ^= UINT32_C(1) << lane;
            for (uint32_t word = 0; word < words; word++) {
                uint32_t value = exec_row(warp, data + word)[lane];
                changed |= put(place[lane] + (size_t)4 * word, value, element);
            }
        }
    }
    return changed;
}

static bool waits_for_exchange(const struct exec_warp *warp)
{
    const struct pending *pending = warp->block->grid->pending;
    return pending && !pending->hidden;
}

void exec_store(struct exec_warp *warp, uint32_t data, uint32_t lanes,
                uint8_t *const place[EXEC_LANES], uint32_t element, uint32_t words)
{
    if (waits_for_exchange(warp))
        pending_store(warp, data, lanes, place, element, words);
    else
        warp->block->grid->changes += store_now(warp, data, lanes, place, element, words);
}

/* Returns the lanes of a store that access shared or local memory. */
static uint32_t own_lanes(const struct exec_warp *warp, const struct exec_inst *inst,
                          uint32_t lanes)
{
    const uint64_t *address = warp->block->grid->addresses.lane;
    if (inst->sass->op == SASS_OP_STG)
        return 0;
    return exec_lanes_in_window(address, lanes, EXEC_SHARED_WINDOW) |
           exec_lanes_in_window(address, lanes, EXEC_LOCAL_WINDOW);
}

/* Returns whether `lanes` access local memory only. */
static inline bool is_local(const struct exec_warp *warp, exec_places_fn *places, uint32_t lanes)
{
    const uint64_t *address = warp->block->grid->addresses.lane;
    return places == exec_places_local ||
           (places == exec_places_generic &&
            exec_lanes_in_window(address, lanes, EXEC_LOCAL_WINDOW) == lanes);
}

/* Stores to the memory of `places`, with elements of `size`. */
static inline void store(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                         exec_places_fn *places, const uint32_t size)
{
    uint8_t *place[EXEC_LANES];
    if (!places(warp, inst, lanes, place))
        return;
    const uint32_t words = size == B64 ? 2 : size == B128 ? 4 : 1;
    const uint32_t bytes = size <= S8 ? 1 : size <= S16 ? 2 : 4;
    const uint32_t data = inst->mod[ACCESS_DATA];
    if ((places == exec_places_global || places == exec_places_generic) &&
        waits_for_exchange(warp)) {
        const uint32_t own = own_lanes(warp, inst, lanes);
        pending_store(warp, data, lanes & ~own, place, bytes, words);
        lanes = own;
    }
    if (!store_now(warp, data, lanes, place, bytes, words))
        return;
    if (is_local(warp, places, lanes)) /* nobody else waits for it */
        warp->block->slot[warp->index].own_changes++;
    else
        warp->block->grid->changes++;
}

/* One function for each kind of memory and size, so that nothing is decided at run time. */
#define ACCESS(name, how, places, size)                                                            \
    static void name(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)         \
    {                                                                                              \
        how(warp, inst, lanes, places, size);                                                      \
    }
#define ACCESSES(memory)                                                                           \
    ACCESS(load_##memory##_u8, load, exec_places_##memory, U8)                                     \
    ACCESS(load_##memory##_s8, load, exec_places_##memory, S8)                                     \
    ACCESS(load_##memory##_u16, load, exec_places_##memory, U16)                                   \
    ACCESS(load_##memory##_s16, load, exec_places_##memory, S16)                                   \
    ACCESS(load_##memory##_32, load, exec_places_##memory, B32)                                    \
    ACCESS(load_##memory##_64, load, exec_places_##memory, B64)                                    \
    ACCESS(load_##memory##_128, load, exec_places_##memory, B128)                                  \
    ACCESS(store_##memory##_8, store, exec_places_##memory, U8)                                    \
    ACCESS(store_##memory##_16, store, exec_places_##memory, U16)                                  \
    ACCESS(store_##memory##_32, store, exec_places_##memory, B32)                                  \
    ACCESS(store_##memory##_64, store, exec_places_##memory, B64)                                  \
    ACCESS(store_##memory##_128, store, exec_places_##memory, B128)
#define LOADS(memory)                                                                              \
    {                                                                                              \
        load_##memory##_u8, load_##memory##_s8, load_##memory##_u16, load_##memory##_s16,          \
            load_##memory##_32, load_##memory##_64, load_##memory##_128                            \
    }
#define STORES(memory)                                                                             \
    {                                                                                              \
        store_##memory##_8, store_##memory##_8, store_##memory##_16, store_##memory##_16,          \
            store_##memory##_32, store_##memory##_64, store_##memory##_128                         \
    }

ACCESSES(global)
ACCESSES(generic)
ACCESSES(shared)
ACCESSES(local)

struct access_row {
    uint16_t op;
    uint8_t writes;
    exec_fn *run[SIZES];
};

static const struct access_row rows[] = {
    {SASS_OP_LDG, 0, LOADS(global)},  {SASS_OP_LD, 0, LOADS(generic)},
    {SASS_OP_LDS, 0, LOADS(shared)},  {SASS_OP_LDL, 0, LOADS(local)},
    {SASS_OP_STG, 1, STORES(global)}, {SASS_OP_ST, 1, STORES(generic)},
    {SASS_OP_STS, 1, STORES(shared)}, {SASS_OP_STL, 1, STORES(local)},
};

bool exec_prepare_access(struct exec_inst *inst, const char **why)
{
    const struct sass_inst *sass = inst->sass;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].op != sass->op)
            continue;
        uint32_t size = sass_mod(sass, SASS_MOD_SIZE);
        if (size >= SIZES) {
            *why = "its access size is not known";
            return false;
        }
        exec_access_fill(inst);
        inst->mod[ACCESS_BYTES] = bytes_of[size];
        inst->mod[ACCESS_WHAT] = size;
        inst->mod[ACCESS_WRITES] = rows[i].writes;
        inst->run = rows[i].run[size];
        return true;
    }
    return exec_prepare_mbarrier(inst) || exec_prepare_atomic(inst, why) ||
           (!*why && exec_prepare_collective(inst, why)) ||
           (!*why && exec_prepare_texture(inst, why));
}
