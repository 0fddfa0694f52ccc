/*
 * Timeline files for the viewer's tests: from pretended events, or of a real run of a shipped
 * trace. What goes wrong here ends the program.
 */
#ifndef TESTS_UNIT_VIZ_FIXTURE_H
#define TESTS_UNIT_VIZ_FIXTURE_H

#include "api/simsm_front.h"
#include "timeline_fake.h"
#include "track/track.h"

static inline void viz_need(bool good, const struct simsm_error *error)
{
    char text[1400];
    if (good)
        return;
    (void)fprintf(stderr, "%s\n", simsm_error_text(error, text, sizeof text));
    abort();
}

/* The events of `sms` SMs, from a kernel of `front`, as a timeline at `path`. */
static inline void viz_record_front(const char *path, const struct front *front,
                                    const struct fake_events *events, uint32_t sms, uint32_t slots,
                                    uint64_t cycles)
{
    struct simsm_error error;
    struct simsm_config config;
    struct timeline *timeline;
    struct simsm_occupancy occupancy = {.blocks = 2, .warps = 8};
    static struct simsm_stats stats;
    viz_need(simsm_config_load(&config, "configs/t4.yaml", &error) == SIMSM_OK, &error);
    config.gpu_sms = sms;
    config.sm_warp_slots = slots;
    config.sm_max_threads = config.sm_max_threads_per_block = 32 * slots;
    struct timeline_about about = {
        .command_line = "simsm fake fake.trace", .front = front, .occupancy = &occupancy};
    viz_need(timeline_create(&timeline, path, &config, NULL, &error) == SIMSM_OK, &error);
    viz_need(timeline_describe(timeline, &about, &error) == SIMSM_OK, &error);
    const struct simsm_observer *observer = timeline_observer(timeline);
    for (uint32_t sm = 0; sm < sms; sm++)
        viz_need(observer->batch(observer->context, sm, events[sm].list, events[sm].count) == 0 ||
                     !timeline_refused(timeline, &error),
                 &error);
    stats.cycles = cycles;
    stats.complete = true;
    viz_need(timeline_finish(timeline, &stats, &error) == SIMSM_OK, &error);
}

/* The events of `sms` SMs as a timeline at `path`. */
static inline void viz_record(const char *path, const struct fake_events *events, uint32_t sms,
                              uint32_t slots, uint64_t cycles)
{
    struct front front;
    fake_front(&front);
    viz_record_front(path, &front, events, sms, slots, cycles);
}

/*
 * A run of `trace` on `config`, with one setting ("key=value") or none (NULL), at `path`; `part`:
 * the SMs and cycles that are recorded. The launch file of X.sm_90a.cubin is X.yaml.
 */
static inline void viz_simulate_part(const char *path, const char *config_path, const char *trace,
                                     const char *setting, const struct timeline_options *part)
{
    struct simsm_error error;
    struct simsm_config config;
    struct timeline *timeline;
    struct simsm *simulation;
    viz_need(simsm_config_load(&config, config_path, &error) == SIMSM_OK, &error);
    viz_need(!setting || simsm_config_set(&config, setting, &error) == SIMSM_OK, &error);
    viz_need(timeline_create(&timeline, path, &config, part, &error) == SIMSM_OK, &error);
    const struct simsm_observer *observers[] = {timeline_observer(timeline), NULL};
    char launch[256];
    (void)snprintf(launch, sizeof launch, "launch=%.*s.yaml", (int)strcspn(trace, "."), trace);
    const char *const code[] = {launch, NULL};
    const struct simsm_options options = {.observers = observers,
                                          .parameters = strstr(trace, ".cubin") ? code : NULL};
    viz_need(simsm_open(&simulation, &config, trace, &options, &error) == SIMSM_OK, &error);
    const struct timeline_about about = {.command_line = "simsm test",
                                         .front = simsm_front(simulation),
                                         .occupancy = &simsm_stats(simulation)->occupancy};
    viz_need(timeline_describe(timeline, &about, &error) == SIMSM_OK, &error);
    viz_need(simsm_run(simulation, UINT64_MAX, &error) == SIMSM_OK, &error);
    viz_need(timeline_finish(timeline, simsm_stats(simulation), &error) == SIMSM_OK, &error);
    simsm_close(simulation);
}

/* As above, for all SMs and cycles. */
static inline void viz_simulate(const char *path, const char *config_path, const char *trace,
                                const char *setting)
{
    viz_simulate_part(path, config_path, trace, setting, NULL);
}

static inline struct run *viz_open(const char *path)
{
    struct simsm_error error;
    struct run *run;
    viz_need(run_open(&run, path, &error) == SIMSM_OK, &error);
    return run;
}

/* Built to its end. */
static inline struct track *viz_track(struct run *run, uint32_t sm)
{
    struct simsm_error error;
    struct track *track = run_track(run, sm, UINT32_MAX, &error);
    viz_need(track != NULL, &error);
    return track;
}

/* The state of every slot in every cycle: state[slot][cycle - begin], read by the reader alone.
 * Freed by viz_plain_free(). */
struct viz_plain {
    uint64_t begin, end;
    uint32_t slots;
    uint8_t *state[SIMSM_SLOTS_PER_SM];
    uint32_t *pc[SIMSM_SLOTS_PER_SM]; /* at the head */
};

static inline struct viz_plain viz_plain_of(struct run *run, uint32_t sm)
{
    struct viz_plain plain = {.slots = run_info(run)->slots};
    struct timeline_data data = {0};
    struct simsm_error error;
    uint32_t count;
    const struct timeline_chunk *chunks = timeline_read_chunks(run_reader(run), sm, &count);
    plain.begin = chunks[0].begin;
    plain.end = chunks[count - 1].end;
    for (uint32_t s = 0; s < plain.slots; s++) {
        plain.state[s] = calloc(plain.end - plain.begin, 1);
        plain.pc[s] = calloc(plain.end - plain.begin, sizeof *plain.pc[s]);
    }
    for (uint32_t c = 0; c < count; c++) {
        viz_need(timeline_read_chunk(run_reader(run), &chunks[c], &data, &error) == SIMSM_OK,
                 &error);
        for (uint32_t i = 0; i < data.span_count; i++) {
            const struct timeline_span *span = &data.spans[i];
            uint64_t from = span->from < plain.begin ? plain.begin : span->from;
            for (uint64_t at = from; at < span->to; at++) {
                plain.state[span->slot][at - plain.begin] =
                    (uint8_t)run_known_state(run, span->state);
                plain.pc[span->slot][at - plain.begin] = span->pc;
            }
        }
    }
    timeline_data_free(&data);
    return plain;
}

static inline void viz_plain_free(struct viz_plain *plain)
{
    for (uint32_t s = 0; s < plain->slots; s++) {
        free(plain->state[s]);
        free(plain->pc[s]);
    }
}

#endif
