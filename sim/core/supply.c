/*
 * MODEL: the cache of instructions and constants that the SMs of a GPC share (GCC in the metrics of
 * Nsight Compute), and L2 behind it. To all its SMs together the cache hands out a line of code per
 * fetch.gpc_interval cycles and a line of constants per constant.gpc_interval. A line that it
 * misses comes from L2 for all SMs that ask meanwhile, a line of code for an SM per
 * fetch.l2_interval. Lines of code come in pairs, and each pair, when it is used first, brings the
 * pair behind it. In a launch with cold caches L2 has no line that no GPC has asked for yet, and
 * takes it from DRAM. A launch brings the beginning of its code along; a line that is asked for
 * long before its turn comes as any other.
 * SOURCE: H100, cuda/calib/fetch own: 16 warps with code of their own get a line each 3.4 cycles on
 * one SM, each 21 on all SMs, each 4.9 if they have more code than the cache. H200, back and burst:
 * on a path backwards over more code than the cache has, every second line takes as long as from
 * this cache; at places far apart, lines 3 and 4 take 52 cycles more than the 284 of lines 1 and 2.
 * Code and constants that miss in the SM take the same 60 cycles (docs/calibration.md, "Instruction
 * supply"). That the GPC has a cache of both: the units of Nsight Compute.
 * LEFT OUT: other accesses at L2 and DRAM; that code and constants share the room of the cache.
 */
#include "core/supply.h"

#include "config/gpcs.h"
#include "core/icache.h"
#include "core/turn.h"

/* Assumed: the ways, and that L2 keeps 4 MB of a program's code, and of its constants. Pieces of
 * four lines that come together lie in one partition of L2 (way_to). */
enum {
    GPCS = 16,
    SPAN = 128,
    CODE_WAYS = 8,
    CONSTANT_WAYS = 16,
    L2_LINES = 16384,
    L2_WAYS = 8,
    L2_PARTITIONS = 2,
    PIECE_SHIFT = 2
};

struct gpc {
    struct icache_lines lines[SUPPLY_KINDS];
    double free_at[SUPPLY_KINDS]; /* cycle from which it hands out the next line */
};

struct supply_line {
    uint32_t bytes, latency; /* of a line that an SM asks for; of a hit in the cache of the GPC */
    uint32_t together;       /* lines that this cache brings together */
    bool next;               /* whether it brings as many behind them, too */
    double interval;         /* between two lines that this cache hands out */
    uint32_t l2_latency, dram_latency; /* of L2; of DRAM besides */
    uint32_t between;                  /* of dram_latency, from one partition of L2 to the other */
    double l2_interval;                /* between two lines that come from L2 for an SM */
    uint32_t launch_bytes, launch_interval;
    struct icache_lines l2; /* lines that are there */
};

struct supply {
    uint32_t sms, words;
    struct supply_port *port; /* [sms] */
    uint8_t *gpc_of;          /* [sms] */
    struct gpc gpc[GPCS];
    uint32_t gpcs;
    struct supply_line kind[SUPPLY_KINDS];
    bool warm, flat;  /* L2 has all lines */
    uint64_t *askers; /* [SPAN][words]: bit per SM with a request for the cycle */
};

bool supply_is_shared(const struct simsm_config *config)
{
    return config->gpu_gpc_tpcs_count != 0 && config->fetch_l15_bytes != 0;
}

/* Returns the cycles from one partition of L2 to the other, which are in the mean latency of DRAM;
 * 0: there is one partition. */
static uint32_t between(const struct simsm_config *config, uint32_t dram_latency)
{
    const uint32_t way = config->l2_partitions == L2_PARTITIONS ? config->l2_far_latency / 2 : 0;
    return way < dram_latency ? way : dram_latency;
}

static uint32_t lines_together(uint32_t bytes, uint32_t line_bytes)
{
    return bytes > line_bytes ? bytes / line_bytes : 1;
}

static bool make_caches(struct supply *supply, struct arena *arena,
                        const struct simsm_config *config)
{
    struct supply_line *code = &supply->kind[SUPPLY_CODE];
    struct supply_line *constants = &supply->kind[SUPPLY_CONSTANTS];
    *code = (struct supply_line){
        .bytes = config->fetch_line_bytes,
        .together = lines_together(config->fetch_gpc_line_bytes, config->fetch_line_bytes),
        .next = config->fetch_gpc_line_bytes != 0,
        .latency = config->fetch_l15_latency,
        .interval = config->fetch_gpc_interval,
        .l2_latency = config->fetch_l2_latency,
        .dram_latency = config->fetch_dram_latency,
        .between = between(config, config->fetch_dram_latency),
        .l2_interval = config->fetch_l2_interval,
        .launch_bytes = config->fetch_launch_bytes,
        .launch_interval = config->fetch_launch_interval};
    *constants = (struct supply_line){.bytes = config->constant_line_bytes,
                                      .together = config->constant_gpc_line_bytes /
                                                  config->constant_line_bytes,
                                      .latency = config->constant_l1_latency,
                                      .interval = config->constant_gpc_interval,
                                      .l2_latency = config->constant_l2_latency,
                                      .dram_latency = config->constant_dram_latency,
                                      .between = between(config, config->constant_dram_latency),
                                      .launch_bytes = config->constant_launch_bytes};
    bool whole = icache_lines_make(&code->l2, arena, L2_LINES, L2_WAYS) &&
                 icache_lines_make(&constants->l2, arena, L2_LINES, L2_WAYS);
    for (uint32_t i = 0; whole && i < supply->gpcs; i++)
        whole =
            icache_lines_make(&supply->gpc[i].lines[SUPPLY_CODE], arena,
                              config->fetch_l15_bytes / code->bytes / code->together, CODE_WAYS) &&
            icache_lines_make(&supply->gpc[i].lines[SUPPLY_CONSTANTS], arena,
                              config->constant_l1_bytes / constants->bytes / constants->together,
                              CONSTANT_WAYS);
    return whole;
}

struct supply *supply_create(struct arena *arena, const struct simsm_config *config)
{
    struct supply *supply = arena_take(arena, 1, sizeof *supply);
    if (!supply)
        return NULL;
    supply->sms = config->gpu_sms;
    supply->words = (supply->sms + 63) / 64;
    supply->flat = config->memory_model < SIMSM_FULL_memory_model;
    supply->port = arena_take(arena, supply->sms, sizeof *supply->port);
    supply->gpc_of = arena_take(arena, supply->sms, sizeof *supply->gpc_of);
    supply->askers = arena_take(arena, (size_t)SPAN * supply->words, sizeof *supply->askers);
    if (!supply->port || !supply->gpc_of || !supply->askers)
        return NULL;
    for (uint32_t i = 0; i < supply->sms; i++)
        supply->port[i].park = UINT64_MAX;
    if (!supply_is_shared(config))
        return supply;
    supply->gpcs = config->gpu_gpc_tpcs_count;
    for (uint32_t i = 0; i < supply->sms; i++)
        supply->gpc_of[i] = (uint8_t)gpcs_of_sm(config, i);
    return make_caches(supply, arena, config) ? supply : NULL;
}

void supply_free(struct supply *supply)
{
    for (uint32_t i = 0; supply && i < supply->sms; i++)
        for (unsigned kind = 0; kind < SUPPLY_KINDS; kind++)
            pool_free(&supply->port[i].queue[kind].requests);
}

struct supply_port *supply_join(struct supply *supply, uint32_t index, struct sm *sm)
{
    struct supply_port *port = &supply->port[index];
    port->sm = sm;
    for (unsigned kind = 0; kind < SUPPLY_KINDS; kind++) {
        struct supply_queue *queue = &port->queue[kind];
        queue->requests.size = sizeof(struct supply_request);
        queue->least = supply->kind[kind].latency;
        if (supply->gpcs && !pool_reserve(&queue->requests, 1))
            return NULL;
    }
    return port;
}

uint64_t supply_ask(struct supply_port *port, enum supply_kind kind, uint64_t at, uint32_t number)
{
    struct supply_queue *queue = &port->queue[kind];
    queue->last = at = later(at, queue->last);
    const struct supply_request request = {.at = at, .number = number, .id = port->asked++};
    if (!pool_add(&queue->requests, &request))
        port->no_memory = true;
    else if (at + queue->least < port->park)
        port->park = at + queue->least;
    return icache_pending(request.id, at);
}

void supply_bring(struct supply *supply, uint64_t now, uint32_t code, uint64_t code_at,
                  uint32_t constants, uint64_t constants_at)
{
    const struct supply_line *kind = supply->kind;
    for (uint32_t i = 0; i < supply->gpcs; i++) {
        struct icache_lines *lines = supply->gpc[i].lines;
        icache_fill(&lines[SUPPLY_CODE], kind[SUPPLY_CODE].bytes * kind[SUPPLY_CODE].together, now,
                    code, kind[SUPPLY_CODE].launch_bytes, code_at,
                    kind[SUPPLY_CODE].launch_interval * kind[SUPPLY_CODE].together);
        icache_fill(&lines[SUPPLY_CONSTANTS],
                    kind[SUPPLY_CONSTANTS].bytes * kind[SUPPLY_CONSTANTS].together, now, constants,
                    kind[SUPPLY_CONSTANTS].launch_bytes, constants_at, 0);
    }
}

void supply_warm(struct supply *supply)
{
    supply->warm = true;
}

/*
 * Returns the cycles from a GPC's partition of L2 to the partition whose memory holds a line. Each
 * piece of some lines lies in either, as if at random. The longer the pieces, the further the GPCs
 * of one side run ahead, and the faster all get lines. With pieces of 512 bytes, half as long, an
 * H100 is 7 % faster in code and 8 % slower in constants (line_cold_all, up_cold_all); no length
 * suits both.
 */
static uint32_t way_to(const struct supply_line *lines, uint32_t gpc, uint32_t number)
{
    const uint32_t owner = (number >> PIECE_SHIFT) * UINT32_C(0x9E3779B9) >> 31;
    return owner == gpc % L2_PARTITIONS ? 0 : lines->between;
}

/*
 * Returns the cycle at which L2 has the line, which a GPC asks of it at `now`. The GPC's partition
 * gets it from the line's own, where it may be on its way from DRAM for a GPC of that side: all SMs
 * together get new lines faster than one (H100, cuda/calib/fetch line_cold_all, constant
 * up_cold_all). The mean over lines of both partitions is dram_latency.
 */
static uint64_t l2_has(struct supply *supply, enum supply_kind kind, uint32_t gpc, uint64_t now,
                       uint32_t number)
{
    const struct supply_line *lines = &supply->kind[kind];
    if (supply->warm || supply->flat)
        return now;
    if (kind == SUPPLY_CONSTANTS) /* the launches of a program share them in L2 */
        number %= SUPPLY_CONSTANTS_UNIT / (lines->bytes * lines->together);
    const uint32_t way = way_to(lines, gpc, number);
    struct icache_line *line = icache_find(&lines->l2, number);
    if (line->tag != number + 1) {
        const uint64_t there = now + way + lines->dram_latency;
        *line = (struct icache_line){.tag = number + 1, .ready_at = there - lines->between};
    }
    line->used_at = now + 1;
    const bool in_both = line->in_both;
    line->in_both |= way != 0;
    if (in_both && now >= line->ready_at + way)
        return now;
    return later(now + way, line->ready_at) + way;
}

/* Returns the cycle at which the cache of the GPC has a line that the SM misses there at `now`. */
static uint64_t from_l2(struct supply *supply, struct supply_port *port, enum supply_kind kind,
                        uint64_t now, uint32_t number)
{
    const struct supply_line *lines = &supply->kind[kind];
    const uint64_t at = turn_take(&port->l2_free[kind], now, lines->l2_interval * lines->together);
    return l2_has(supply, kind, supply->gpc_of[port - supply->port], at, number) +
           lines->l2_latency;
}

static struct gpc *gpc_of(struct supply *supply, const struct supply_port *port)
{
    return &supply->gpc[supply->gpc_of[port - supply->port]];
}

/* Brings the lines behind `number` into the cache of the GPC. */
static void bring_next(struct supply *supply, struct supply_port *port, enum supply_kind kind,
                       uint64_t at, uint32_t number)
{
    struct icache_line *line = icache_find(&gpc_of(supply, port)->lines[kind], number + 1);
    if (line->tag != number + 2)
        *line = (struct icache_line){.tag = number + 2,
                                     .ahead = true,
                                     .ready_at = from_l2(supply, port, kind, at, number + 1),
                                     .used_at = at + 1};
}

/* Returns the cycle at which the cache of the GPC has the lines that it brings together, of which
 * an SM asks for one at `at`. */
static uint64_t gpc_has(struct supply *supply, struct supply_port *port, enum supply_kind kind,
                        uint64_t at, uint32_t number)
{
    const struct supply_line *lines = &supply->kind[kind];
    struct icache_line *line = icache_find(&gpc_of(supply, port)->lines[kind], number);
    const bool there = line->tag == number + 1, first = !there || line->ahead;
    if (!there)
        *line = (struct icache_line){.tag = number + 1, .ready_at = UINT64_MAX};
    bool soon = line->ready_at <= at + lines->l2_latency + lines->dram_latency;
    if (!there || (line->ahead && !soon)) { /* ahead: it comes with the launch */
        uint64_t ready_at = from_l2(supply, port, kind, at, number);
        line->ready_at = ready_at < line->ready_at ? ready_at : line->ready_at;
    }
    line->ahead = false;
    line->used_at = at + 1;
    const uint64_t ready_at = line->ready_at;
    if (first && lines->next)
        bring_next(supply, port, kind, at, number);
    return later(at, ready_at);
}

static void serve(struct supply *supply, struct supply_port *port, enum supply_kind kind)
{
    const struct supply_line *lines = &supply->kind[kind];
    struct supply_queue *queue = &port->queue[kind];
    const struct supply_request request =
        ((const struct supply_request *)queue->requests.data)[queue->first];
    if (++queue->first == queue->requests.count)
        queue->first = queue->requests.count = 0;
    const uint64_t at =
        turn_take(&gpc_of(supply, port)->free_at[kind], request.at, lines->interval);
    sm_supplied(port->sm, kind, request.number, request.id,
                gpc_has(supply, port, kind, at, request.number / lines->together) + lines->latency);
}

/* Serves the SM's requests for `cycle`, in the order in which it has made them. */
static void serve_cycle(struct supply *supply, struct supply_port *port, uint64_t cycle)
{
    for (;;) {
        enum supply_kind next = SUPPLY_KINDS;
        uint32_t id = 0;
        for (unsigned kind = 0; kind < SUPPLY_KINDS; kind++) {
            const struct supply_queue *queue = &port->queue[kind];
            const struct supply_request *request =
                (const struct supply_request *)queue->requests.data + queue->first;
            bool due = queue->first < queue->requests.count && request->at == cycle;
            if (!due || (next != SUPPLY_KINDS && request->id > id))
                continue;
            next = (enum supply_kind)kind;
            id = request->id;
        }
        if (next == SUPPLY_KINDS)
            return;
        serve(supply, port, next);
    }
}

static void note_asker(struct supply *supply, uint32_t sm, uint64_t base, uint64_t end)
{
    uint64_t first = supply_first(&supply->port[sm]);
    if (first < end)
        supply->askers[(first - base) * supply->words + sm / 64] |= UINT64_C(1) << sm % 64;
}

/* Serves the requests for [base, end), at most SPAN cycles. */
static void serve_span(struct supply *supply, uint64_t base, uint64_t end)
{
    uint64_t *word = supply->askers;
    for (uint32_t sm = 0; sm < supply->sms; sm++)
        note_asker(supply, sm, base, end);
    for (uint64_t cycle = base; cycle < end; cycle++) {
        for (uint32_t i = 0; i < supply->words; i++, word++) {
            for (; *word != 0; *word &= *word - 1) {
                uint32_t sm = i * 64 + (uint32_t)__builtin_ctzll(*word);
                serve_cycle(supply, &supply->port[sm], cycle);
                note_asker(supply, sm, base, end);
            }
        }
    }
}

static uint64_t first_request(const struct supply *supply)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < supply->sms; i++)
        if (supply->port[i].park != UINT64_MAX && supply_first(&supply->port[i]) < first)
            first = supply_first(&supply->port[i]);
    return first;
}

/* Sets until when SMs can run on without an exchange. */
static void set_parks(struct supply *supply)
{
    for (uint32_t i = 0; i < supply->sms; i++) {
        struct supply_port *port = &supply->port[i];
        if (port->park == UINT64_MAX)
            continue;
        port->park = UINT64_MAX;
        for (unsigned kind = 0; kind < SUPPLY_KINDS; kind++) {
            const struct supply_queue *queue = &port->queue[kind];
            const struct supply_request *request = queue->requests.data;
            if (queue->first < queue->requests.count &&
                request[queue->first].at + queue->least < port->park)
                port->park = request[queue->first].at + queue->least;
        }
    }
}

void supply_exchange(struct supply *supply, uint64_t end)
{
    uint64_t base = first_request(supply);
    if (base >= end)
        return;
    for (; base < end; base = first_request(supply))
        serve_span(supply, base, end - base < SPAN ? end : base + SPAN);
    set_parks(supply);
}
