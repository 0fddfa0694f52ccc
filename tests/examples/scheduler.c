#include <simsm/simsm.h>
#include <stdio.h>

struct fewest {
    uint64_t issues[SIMSM_SLOTS_PER_SM]; /* instructions that each slot's warp has issued */
};

static int pick(void *state, const struct simsm_sched_view *view)
{
    struct fewest *fewest = state;
    int best = -1;
    for (int slot = 0; slot < (int)view->slots; slot++)
        if ((view->eligible >> slot & 1) &&
            (best < 0 || fewest->issues[slot] < fewest->issues[best]))
            best = slot;
    fewest->issues[best]++;
    return best;
}

static void on_slot(void *state, uint32_t slot, bool filled)
{
    if (filled)
        ((struct fewest *)state)->issues[slot] = 0;
}

static const struct simsm_scheduler fewest_first = {
    .name = "fewest_first",
    .summary = "the warp that has issued least",
    .state_size = sizeof(struct fewest),
    .pick = pick,
    .on_slot = on_slot,
};

int main(void)
{
    struct simsm_config config;
    struct simsm_error error;
    const struct simsm_scheduler *schedulers[] = {simsm_schedulers[0], &fewest_first};
    for (int i = 0; i < 2; i++) {
        struct simsm_options options = {.scheduler = schedulers[i], .check = true};
        struct simsm *simulation = NULL;
        if (simsm_config_load(&config, "t4", &error) != SIMSM_OK ||
            simsm_open(&simulation, &config, "traces/divergent.trace", &options, &error) ||
            simsm_run(simulation, UINT64_MAX, &error) != SIMSM_OK)
            return 1;
        printf("%s: %llu cycles\n", schedulers[i]->name,
               (unsigned long long)simsm_stats(simulation)->cycles);
        simsm_close(simulation);
    }
    return 0;
}
