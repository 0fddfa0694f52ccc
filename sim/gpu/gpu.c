/*
 * MODEL: the GPU's clock. In a window of cycles all SMs advance independently, then they exchange
 * packets and blocks. A window is at most as long as the way to L2 and as the latency of
 * block dispatch. Nothing that an SM does can reach another SM, or itself through L2, within the
 * window. Everything exchanged is ordered by cycle first, so the result does not depend on where
 * windows begin and end. A launch begins gpu.launch_cycles before its first block and ends
 * gpu.end_cycles after its last, or gpu.drain_cycles after the last answer to a store.
 * SOURCE: own choice (docs/architecture.md, "Time: windows"); the launch: H200, cuda/calib/launch.
 * LEFT OUT: nothing known.
 */
#include "gpu/gpu.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/check.h"
#include "base/err.h"
#include "core/sm.h"
#include "gpu/gpu_state.h"

static void destroy_sms(struct gpu *gpu)
{
    for (uint32_t i = 0; gpu->sm && i < gpu->sms; i++) {
        sm_destroy(gpu->sm[i].sm);
        bus_free(&gpu->sm[i].bus);
    }
}

void gpu_destroy(struct gpu *gpu)
{
    if (!gpu)
        return;
    parts_free(gpu);
    destroy_sms(gpu);
    while (gpu->grids) {
        struct gpu_grid *grid = gpu->grids;
        gpu->grids = grid->next;
        if (grid != gpu->first)
            grids_free(gpu, grid);
    }
    if (gpu->first)
        grids_free(gpu, gpu->first);
    pool_free(&gpu->codes);
    clusters_free(gpu);
    supply_free(gpu->supply);
    mem_destroy(gpu->mem);
    arena_free(&gpu->arena);
    free(gpu);
}

static bool create_sms(struct gpu *gpu)
{
    const struct gpu_setup *setup = &gpu->setup;
    gpu->sm_setup = (struct sm_setup){
        .arena = &gpu->arena,
        .supply = gpu->supply,
        .config = setup->config,
        .first = &gpu->first->seen,
        .cursor_size = setup->front->cursor_size,
        .scheduler = setup->scheduler,
        .l1_policy = setup->l1_policy,
        .module = setup->module,
        .policy = &gpu->policy,
        .account = setup->dispatcher->tick != NULL,
        .least_answer = mem_least_answer(gpu->mem),
        .no_skip = setup->no_skip,
    };
    gpu->sm = arena_take(&gpu->arena, gpu->sms, sizeof *gpu->sm);
    gpu->begun = arena_take(&gpu->arena, (gpu->sms + 63) / 64, sizeof *gpu->begun);
    if (!gpu->sm || !gpu->begun)
        return false;
    bool whole = true;
    for (uint32_t i = 0; whole && i < gpu->sms; i++) {
        gap_init(&gpu->sm[i].gap, setup->occupancy->warps);
        whole = bus_init(&gpu->sm[i].bus, i, setup->observers, gpu->threads > 1);
        if (setup->module || setup->dispatcher->tick) /* these see SMs without blocks, too */
            whole = whole && gpu_begin_sm(gpu, i);
    }
    return whole;
}

bool gpu_begin_sm(struct gpu *gpu, uint32_t index)
{
    struct gpu_sm *sm = &gpu->sm[index];
    const uint32_t part = parts_of_sm(gpu, index);
    struct tally *tally = &gpu->part[part].tally;
    if (sm->sm)
        return true;
    struct mem_sm *memory = mem_sm_create(gpu->mem, index, tally);
    sm->sm = memory
                 ? sm_create(&gpu->sm_setup, index, sm->empty_until, &sm->bus, memory, tally, part)
                 : NULL;
    if (!sm->sm)
        return false;
    gpu->begun[index / 64] |= UINT64_C(1) << index % 64;
    return true;
}

uint32_t gpu_next_sm(const struct gpu *gpu, uint32_t from)
{
    return bits_next(gpu->begun, gpu->sms, from);
}

static uint64_t longest_window(const struct gpu *gpu)
{
    const struct simsm_config *config = gpu->setup.config;
    uint64_t longest = mem_window(gpu->mem);
    if (config->dispatch_block_latency < longest)
        longest = config->dispatch_block_latency;
    if (gpu->setup.several || clusters_used(gpu->setup.front))
        longest = clusters_window(config, longest);
    return longest;
}

/* Returns the cycles between two exchanges of fronts: an instruction that sees what other SMs write
 * must not be answered before the exchange that gives it its values. */
static uint64_t longest_epoch(const struct gpu *gpu)
{
    const struct front *front = gpu->setup.front;
    uint64_t window = longest_window(gpu), answer = mem_least_answer(gpu->mem);
    bool waits = gpu->setup.several || clusters_used(front);
    if (waits && mem_least_shared_answer(gpu->mem) < answer)
        answer = mem_least_shared_answer(gpu->mem);
    for (uint32_t i = 0; front->ops->issue && !waits && i < front->code_size; i++)
        waits = inst_sees_others(&front->code[i]) || front->code[i].op == SIMSM_OP_TMA_LOAD;
    return waits && answer < window ? answer : window;
}

/* Samples at the shortest interval that an observer wants. Other observers get more samples than
 * they asked for. */
static void sample_every(struct gpu *gpu, uint64_t cycles)
{
    if (gpu->next_sample == SM_NEVER || cycles < gpu->sample_step)
        gpu->sample_step = gpu->next_sample = cycles;
}

/*
 * Returns the bytes that a launch itself reads from DRAM: its descriptor and constants, and its
 * code in pieces of 256 bytes. The reads delay nothing here. SOURCE: H200, cuda/calib/launch
 * touch_sectors, cuda/calib/traffic written and merge_pause, cuda/calib/bandwidth count_l2_write:
 * 2304 bytes and the code.
 */
static uint64_t launch_bytes(const struct gpu_setup *setup)
{
    enum { PIECE = 256 };
    const struct simsm_config *config = setup->config;
    uint64_t code = (uint64_t)setup->front->code_size * config->fetch_instruction_bytes;
    if (config->dram_launch_bytes == 0 || config->memory_model < SIMSM_FULL_memory_model)
        return 0;
    return config->dram_launch_bytes + (code + PIECE - 1) / PIECE * PIECE;
}

static struct simsm_policy_setup policy_setup(const struct gpu *gpu)
{
    const struct simsm_config *config = gpu->setup.config;
    const struct simsm_occupancy *occupancy = gpu->setup.occupancy;
    return (struct simsm_policy_setup){
        .param = gpu->setup.param,
        .config = config,
        .blocks = simsm_grid_blocks(&gpu->setup.front->launch),
        .sms = gpu->sms,
        .sub_partitions = config->sm_sub_partitions,
        .slots = config->sm_warp_slots / config->sm_sub_partitions,
        .blocks_per_sm = occupancy->blocks,
        .warps_per_block = occupancy->warps_per_block,
        .instructions = gpu->setup.front->code_size,
        .l1_bytes = config->sm_l1_shared_bytes - occupancy->carveout,
        .l1_line_bytes = config->l1_line_bytes,
        .seed = config->run_seed,
    };
}

struct gpu *gpu_create(const struct gpu_setup *setup)
{
    struct gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu)
        return NULL;
    size_t state = setup->dispatcher->state_size;
    gpu->setup = *setup;
    gpu->sms = setup->config->gpu_sms;
    gpu->next_tick = gpu->fault_cycle = gpu->due = SM_NEVER;
    gpu->policy = policy_setup(gpu);
    gpu->noted = -setup->config->dispatch_end_interval;        /* the first end is noted at once */
    gpu->arena.only_small = gpu->policy.blocks < gpu->sms / 8; /* most of it is not touched then */
    gpu->mem = mem_create(&gpu->arena, setup->config, gpu->sms,
                          setup->several ? 0 : setup->occupancy->carveout);
    if (gpu->mem && setup->front->launch.untranslated)
        mem_forget_pages(gpu->mem);
    gpu->supply = supply_create(&gpu->arena, setup->config);
    gpu->window = gpu->mem ? longest_window(gpu) : 0;
    gpu->epoch = gpu->mem ? longest_epoch(gpu) : 0;
    gpu->next_exchange = setup->front->ops->exchange ? 0 : SM_NEVER;
    gpu->view = arena_take(&gpu->arena, gpu->sms, sizeof *gpu->view);
    gpu->order = arena_take(&gpu->arena, gpu->sms, sizeof *gpu->order);
    gpu->retired = arena_take(&gpu->arena, (size_t)gpu->sms * GPU_PLACES, sizeof *gpu->retired);
    gpu->dispatcher_state = arena_take(&gpu->arena, 1, state ? state : 1);
    const struct gpu_arrival first = {
        .front = setup->front,
        .occupancy = setup->occupancy,
        .priority = setup->priority,
        .launch_cycles = setup->several ? setup->launch_cycles : setup->config->gpu_launch_cycles};
    if (!gpu->mem || !gpu->supply || !gpu->view || !gpu->retired || !gpu->dispatcher_state ||
        !gpu->order || !parts_create(gpu) || !clusters_init(gpu) ||
        !(gpu->first = grids_add(gpu, &first)) || !create_sms(gpu)) {
        gpu_destroy(gpu);
        return NULL;
    }
    gpu->tally.counter[SIMSM_COUNTER_DRAM_READ_BYTES] = launch_bytes(setup);
    if (setup->window && setup->window < gpu->window)
        gpu->window = setup->window;
    gpu->next_sample = SM_NEVER;
    for (const struct simsm_observer *const *o = setup->observers; o && *o; o++)
        if ((*o)->sample && (*o)->sample_cycles)
            sample_every(gpu, (*o)->sample_cycles);
    dispatch_first(gpu);
    if (gpu->no_memory) {
        gpu_destroy(gpu);
        return NULL;
    }
    return gpu;
}

struct mem_lines *gpu_take_lines(struct gpu *gpu)
{
    return mem_take_lines(gpu->mem);
}

void gpu_give_lines(struct gpu *gpu, struct mem_lines *lines)
{
    if (lines) /* the launch's code and constants count as present, whatever ran before */
        gpu->tally.counter[SIMSM_COUNTER_DRAM_READ_BYTES] -= launch_bytes(&gpu->setup);
    if (lines)
        supply_warm(gpu->supply);
    mem_give_lines(gpu->mem, lines);
}

void gpu_hold(struct gpu *gpu, const struct mem_written *written)
{
    mem_hold(gpu->mem, written);
}

void gpu_cut_by(struct gpu *gpu, const struct gpu_cut *cut)
{
    gpu->cut = cut;
}

/* Returns whether something can happen in the SM now. The bound is cheaper, and mostly enough. */
static bool sm_has_event(struct sm *sm, uint64_t now)
{
    if (sm_next(sm) > now)
        return false;
    sm_settle_answers(sm);
    return sm_next(sm) <= now;
}

/* Returns the next cycle from now on in which anything can happen, or SM_NEVER. */
static uint64_t next_cycle(const struct gpu *gpu)
{
    uint64_t next = gpu->due < mem_next(gpu->mem) ? gpu->due : mem_next(gpu->mem);
    bool now = next <= gpu->now;
    for (uint32_t i = gpu_next_sm(gpu, 0); !now && i < gpu->sms; i = gpu_next_sm(gpu, i + 1))
        now = sm_has_event(gpu->sm[i].sm, gpu->now);
    if (now)
        return gpu->now;
    for (uint32_t i = gpu_next_sm(gpu, 0); i < gpu->sms; i = gpu_next_sm(gpu, i + 1)) {
        sm_settle_answers(gpu->sm[i].sm);
        uint64_t at = sm_next(gpu->sm[i].sm);
        next = at < next ? at : next;
    }
    return next;
}

/* Returns the cycle to go on at if nothing happens before `next`: not behind an exchange that warps
 * may wait for, or that comes at its time however much is skipped. */
static uint64_t skip_to(const struct gpu *gpu, uint64_t next)
{
    bool waits = false;
    if (gpu->next_exchange == SM_NEVER)
        return next;
    const uint64_t done = gpu->next_exchange > gpu->epoch ? gpu->next_exchange - gpu->epoch : 0;
    const uint64_t look = (done / FRONT_LOOK + 1) * FRONT_LOOK;
    const uint64_t exchange = (look + gpu->epoch - 1) / gpu->epoch * gpu->epoch;
    next = next < exchange ? next : exchange;
    for (uint32_t i = gpu_next_sm(gpu, 0); next > gpu->next_exchange && !waits && i < gpu->sms;
         i = gpu_next_sm(gpu, i + 1))
        waits = sm_asleep(gpu->sm[i].sm);
    return waits ? gpu->next_exchange : next;
}

/* Runs an SM from where it is to the end of the window, or until it waits for an answer of its
 * GPC's cache. Returns the cycle that it has reached. */
static uint64_t run_sm(const struct gpu *gpu, struct sm *sm)
{
    const uint64_t from = sm_reached(sm) > gpu->now ? sm_reached(sm) : gpu->now;
    if (from >= gpu->window_end || sm_run(sm, from, gpu->window_end))
        return gpu->window_end;
    return sm_reached(sm);
}

/* Runs the SMs of part `part`. */
static void run_part(void *gpu_, uint32_t part)
{
    const struct gpu *gpu = gpu_;
    uint32_t next = gpu->neighbours * gpu->threads;
    uint64_t reached = gpu->window_end;
    for (uint32_t i = gpu->neighbours * part; i < gpu->sms; i += next) {
        for (uint32_t sm = i; sm < i + gpu->neighbours && sm < gpu->sms; sm++) {
            const uint64_t at = gpu->sm[sm].sm ? run_sm(gpu, gpu->sm[sm].sm) : reached;
            reached = at < reached ? at : reached;
        }
    }
    gpu->part[part].reached = reached;
}

/* Runs the SMs of all parts at the same time. Returns the cycle that all have reached. */
static uint64_t run_parts(struct gpu *gpu)
{
    uint64_t reached = gpu->window_end;
    crew_work(gpu->crew, run_part, gpu);
    for (uint32_t i = 0; i < gpu->threads; i++)
        reached = gpu->part[i].reached < reached ? gpu->part[i].reached : reached;
    return reached;
}

/* Returns whether SMs of more than one thread have events in this window. */
static bool crew_has_work(const struct gpu *gpu)
{
    uint32_t first = UINT32_MAX;
    if (!gpu->crew)
        return false;
    for (uint32_t i = gpu_next_sm(gpu, 0); i < gpu->sms; i = gpu_next_sm(gpu, i + 1)) {
        if (sm_next(gpu->sm[i].sm) >= gpu->window_end)
            continue;
        if (first != UINT32_MAX && parts_of_sm(gpu, i) != first)
            return true;
        first = parts_of_sm(gpu, i);
    }
    return false;
}

/* Takes what an SM has done in the window. */
static void note_sm(struct gpu *gpu, struct gpu_sm *sm)
{
    uint64_t fault;
    bus_flush(&sm->bus);
    gpu->refused |= sm->bus.refusal != 0;
    gpu->no_memory |= sm->bus.lost || sm_no_memory(sm->sm);
    gpu->faulty |= sm_fault(sm->sm, &fault);
}

/* Runs all SMs one after another, and tells the observers of each that ends the window, as long as
 * all SMs before it have ended it. *told: the number of SMs that the observers know of. Returns the
 * cycle that all SMs have reached. */
static uint64_t run_in_turn(struct gpu *gpu, uint32_t *told)
{
    uint64_t reached = gpu->window_end;
    for (uint32_t i = gpu_next_sm(gpu, 0); i < gpu->sms; i = gpu_next_sm(gpu, i + 1)) {
        const uint64_t at = run_sm(gpu, gpu->sm[i].sm);
        reached = at < reached ? at : reached;
        if (reached < gpu->window_end || i < *told)
            continue;
        note_sm(gpu, &gpu->sm[i]); /* while it is in the host's cache */
        *told = i + 1;
    }
    return reached;
}

/* Runs all SMs through the window. One thread tells the observers, in the order of SMs. SMs that
 * wait for answers of their GPC's cache go on when all have reached that cycle. */
static void run_sms(struct gpu *gpu)
{
    const bool together = crew_has_work(gpu);
    uint32_t told = 0;
    uint64_t reached = together ? run_parts(gpu) : run_in_turn(gpu, &told);
    while (reached < gpu->window_end) {
        supply_exchange(gpu->supply, reached);
        reached = together ? run_parts(gpu) : run_in_turn(gpu, &told);
    }
    supply_exchange(gpu->supply, gpu->window_end);
    for (uint32_t i = gpu_next_sm(gpu, told); i < gpu->sms; i = gpu_next_sm(gpu, i + 1))
        note_sm(gpu, &gpu->sm[i]);
}

/* Makes what SMs have done to global memory visible to others, when a multiple of the epoch has
 * been reached. */
static void exchange_values(struct gpu *gpu)
{
    if (gpu->now < gpu->next_exchange)
        return;
    const uint64_t boundary = gpu->now / gpu->epoch * gpu->epoch;
    bool goes_on = false;
    if (gpu->clusters)
        mem_exchange_network(gpu->mem, boundary);
    uint64_t due = SM_NEVER;
    gpu->stuck = gpu->running != 0;
    for (const struct gpu_grid *grid = gpu->grids; grid; grid = grid->next) {
        const struct front *front = grid->seen.front;
        goes_on |= front->ops->exchange(front, boundary);
        gpu->front_failed |= front_status(front, NULL) != SIMSM_OK;
        if (front->ops->due && front->ops->due(front) < due)
            due = front->ops->due(front);
        gpu->stuck &= grid->done == grid->blocks || (front->ops->stuck && front->ops->stuck(front));
    }
    gpu->next_exchange = boundary + gpu->epoch;
    gpu->due = due == SM_NEVER ? due : (due / gpu->epoch + 1) * gpu->epoch;
    gpu->sm_setup.exchanges++;
    gpu->exchanged = true;
    if (!goes_on)
        return;
    for (uint32_t i = gpu_next_sm(gpu, 0); i < gpu->sms; i = gpu_next_sm(gpu, i + 1))
        sm_wake(gpu->sm[i].sm, gpu->now);
}

static void run_window(struct gpu *gpu, uint64_t end)
{
    gpu->exchanged = false;
    SIMSM_CHECK(end >= gpu->now && end - gpu->now <= gpu->window, "cycles %llu to %llu",
                (unsigned long long)gpu->now, (unsigned long long)end);
    gpu->window_end = end;
    run_sms(gpu);
    mem_exchange(gpu->mem, end, &gpu->tally);
    gpu->no_memory |= mem_no_memory(gpu->mem);
    if (gpu->clusters) {
        clusters_settle(gpu, end);
        clusters_deliver(gpu);
    }
    dispatch_refill(gpu);
    gpu->now = end;
    exchange_values(gpu);
}

static void take_sample(struct gpu *gpu)
{
    const struct simsm_observer *const *o = gpu->setup.observers;
    parts_sum_counters(gpu);
    for (; *o; o++)
        if ((*o)->sample && (*o)->sample((*o)->context, gpu->now, gpu->tally.counter))
            gpu->refused = true;
    gpu->next_sample = (gpu->now / gpu->sample_step + 1) * gpu->sample_step;
}

static enum simsm_status deadlock(struct gpu *gpu, struct simsm_error *error)
{
    char text[256] = "";
    uint32_t sm = gpu_next_sm(gpu, 0);
    while (gpu_next_sm(gpu, sm + 1) < gpu->sms && !sm_blocks(gpu->sm[sm].sm))
        sm = gpu_next_sm(gpu, sm + 1);
    const struct gpu_grid *grid = gpu->grids;
    while (grid->done == grid->placed && grid->next)
        grid = grid->next;
    const struct front *front = grid->seen.front;
    if (front->ops->describe_stuck) {
        front->ops->describe_stuck(front, error);
        return SIMSM_FAILED;
    }
    sm_describe_stuck(gpu->sm[sm].sm, text, sizeof text);
    return err_set(error, SIMSM_FAILED,
                   "deadlock at cycle %llu: nothing can happen any more, but %llu of %llu blocks "
                   "have not ended; on SM %u %s",
                   (unsigned long long)gpu->now, (unsigned long long)(grid->blocks - grid->done),
                   (unsigned long long)grid->blocks, sm, text);
}

/* The slots of an SM without a state are empty. */
static void settle_empty(struct gpu *gpu, struct gpu_sm *sm, uint64_t cycle)
{
    gpu->tally.states[SIMSM_STATE_EMPTY] +=
        gpu->setup.config->sm_warp_slots * (cycle - sm->empty_until);
    sm->empty_until = cycle;
}

/* Brings all counts up to `cycle`. */
static void settle(struct gpu *gpu, uint64_t cycle)
{
    gpu->cycles = cycle;
    for (uint32_t i = 0; i < gpu->sms; i++) {
        if (gpu->sm[i].sm)
            sm_settle(gpu->sm[i].sm, cycle);
        else
            settle_empty(gpu, &gpu->sm[i], cycle);
        if (grids_alone(gpu))
            dispatch_settle(&gpu->sm[i], cycle, gpu->setup.occupancy->warps_per_block);
    }
    parts_sum(gpu);
}

static void count_for_cut(struct gpu *gpu)
{
    struct simsm_stats stats = {.line_info = NULL};
    gpu->count_for_cut = false;
    settle(gpu, gpu->now);
    gpu_stats(gpu, &stats);
    gpu->cut->window_counted(gpu->cut->context, &stats);
}

static enum simsm_status finish(struct gpu *gpu, uint64_t cycle, enum simsm_status status,
                                struct simsm_error *error)
{
    settle(gpu, cycle);
    if (gpu->refused)
        return err_set(error, SIMSM_FAILED, "an observer stopped the run at cycle %llu",
                       (unsigned long long)cycle);
    if (gpu->faulty)
        return faults_report(gpu, error);
    if (gpu->setup.check && grids_alone(gpu)) { /* counts of grids that have ended are gone */
        enum simsm_status checked = check_invariants(gpu, error);
        if (checked != SIMSM_OK)
            return checked;
    }
    return status;
}

/* Returns whether the launch is over. Stores may still be on their way when the last block has
 * ended. */
static bool is_over(const struct gpu *gpu)
{
    return gpu->running == 0 && next_cycle(gpu) == SM_NEVER;
}

static uint64_t last_cycle(const struct gpu *gpu)
{
    uint64_t end = gpu->last_noted + gpu->setup.config->gpu_end_cycles;
    for (uint32_t i = gpu_next_sm(gpu, 0); i < gpu->sms; i = gpu_next_sm(gpu, i + 1)) {
        const struct sm *sm = gpu->sm[i].sm;
        uint64_t answer = sm_last_answer(sm), store = sm_last_store(sm);
        store += store != 0 ? gpu->setup.config->gpu_drain_cycles : 0;
        answer = store > answer ? store : answer;
        end = answer > end ? answer : end;
    }
    return end;
}

/* Returns whether the run has come to an end that no launch has foreseen. `alone`: nothing but the
 * GPU can change what warps wait for. */
static bool has_stopped(const struct gpu *gpu, bool alone)
{
    return gpu->refused || gpu->no_memory || gpu->faulty || gpu->front_failed ||
           (gpu->stuck && alone);
}

/* Runs one window, or exchanges the values that all warps wait for. Returns SIMSM_LIMIT if cycle
 * `until` has come, and SIMSM_FAILED if nothing can happen any more. */
static enum simsm_status run_on(struct gpu *gpu, uint64_t until, uint64_t bound, bool alone)
{
    uint64_t next = next_cycle(gpu);
    if (next == SM_NEVER && gpu->next_exchange != SM_NEVER && !gpu->exchanged) {
        gpu->now = gpu->next_exchange < until ? gpu->next_exchange : until;
        if (gpu->now == until)
            return SIMSM_LIMIT;
        exchange_values(gpu); /* warps may wait for it alone */
        return SIMSM_OK;
    }
    if (next == SM_NEVER && (gpu->next_tick == SM_NEVER || faults_held_back(gpu)))
        return SIMSM_FAILED;
    next = skip_to(gpu, next < gpu->next_tick ? next : gpu->next_tick);
    if (!gpu->setup.no_skip && next > gpu->now)
        gpu->now = next < bound ? next : bound;
    if (gpu->now >= until)
        return SIMSM_LIMIT;
    if (gpu->now >= gpu->next_tick)
        dispatch_tick(gpu);
    exchange_values(gpu);
    if (has_stopped(gpu, alone))
        return SIMSM_OK;
    uint64_t end = bound - gpu->now < gpu->window ? bound : gpu->now + gpu->window;
    end = end < gpu->next_exchange ? end : gpu->next_exchange;
    run_window(gpu, end < gpu->next_tick ? end : gpu->next_tick);
    if (gpu->now >= gpu->next_sample)
        take_sample(gpu);
    if (gpu->count_for_cut)
        count_for_cut(gpu);
    return SIMSM_OK;
}

/* Describes why nothing can happen any more. */
static enum simsm_status report_standstill(struct gpu *gpu, struct simsm_error *error)
{
    (void)finish(gpu, gpu->now, SIMSM_OK, NULL);
    return faults_held_back(gpu) ? faults_report_held(gpu, error) : deadlock(gpu, error);
}

enum simsm_status gpu_run(struct gpu *gpu, uint64_t until, uint64_t bound,
                          struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    if (bound < gpu->now)
        bound = gpu->now; /* simulated cycles cannot be taken back */
    if (until > bound)
        until = bound;
    while (status == SIMSM_OK && !is_over(gpu) && !has_stopped(gpu, true))
        status = run_on(gpu, until, bound, true);
    if (status == SIMSM_LIMIT)
        return finish(gpu, gpu->now, SIMSM_LIMIT, error);
    if (status == SIMSM_FAILED)
        return report_standstill(gpu, error);
    if (gpu->no_memory)
        return err_no_memory(error);
    bool stopped = has_stopped(gpu, true);
    gpu->over = is_over(gpu) && !stopped;
    if (gpu->stuck && !gpu->front_failed && !gpu->refused && !gpu->faulty)
        return report_standstill(gpu, error);
    return finish(gpu, stopped ? gpu->now : last_cycle(gpu), SIMSM_OK, error);
}

bool gpu_idle(const struct gpu *gpu)
{
    return is_over(gpu);
}

uint64_t gpu_now(const struct gpu *gpu)
{
    return gpu->now;
}

void gpu_interrupt(struct gpu *gpu)
{
    gpu->interrupted = true;
}

enum simsm_status gpu_step(struct gpu *gpu, uint64_t until, bool alone, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    gpu->interrupted = false;
    while (status == SIMSM_OK && !is_over(gpu) && !has_stopped(gpu, alone) && !gpu->interrupted)
        status = run_on(gpu, until, until, alone);
    if (gpu->no_memory)
        return err_no_memory(error);
    if (gpu->front_failed || gpu->refused || gpu->faulty)
        return finish(gpu, gpu->now, SIMSM_OK, error);
    if (alone && (gpu->stuck || status == SIMSM_FAILED))
        return report_standstill(gpu, error);
    if (!gpu->interrupted && until > gpu->now && until != SM_NEVER)
        gpu->now = until;
    return finish(gpu, gpu->now, SIMSM_OK, error);
}
