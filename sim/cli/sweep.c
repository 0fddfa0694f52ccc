#include "cli/sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/simsm_front.h"
#include "api/watched.h"
#include "base/err.h"
#include "cli/signals.h"

/* Reads a whole number of less than 2^53 in size and `end` behind it. */
static bool take_whole(const char **text, char end, int64_t *value)
{
    const int64_t limit = INT64_C(1) << 53;
    char *rest = NULL;
    errno = 0;
    *value = strtoll(*text, &rest, 10);
    if (rest == *text || *rest != end || errno || *value <= -limit || *value >= limit)
        return false;
    *text = rest + 1;
    return true;
}

/* Writes the values of "from:to:step" as a comma-separated list; false if it is not a range. */
static bool expand_range(const char *range, char *list, size_t size)
{
    int64_t from, to, step;
    if (!take_whole(&range, ':', &from) || !take_whole(&range, ':', &to) ||
        !take_whole(&range, '\0', &step) || step <= 0 || to < from ||
        (to - from) / step >= SWEEP_MAX_POINTS)
        return false;
    size_t used = 0;
    for (int64_t value = from; value <= to; value += step) {
        int n = snprintf(list + used, size - used, "%s%" PRId64, used ? "," : "", value);
        if (n < 0 || (size_t)n >= size - used)
            return false;
        used += (size_t)n;
    }
    return true;
}

static enum simsm_status split(struct sweep_key *key, struct simsm_error *error)
{
    uint32_t commas = 0;
    for (const char *c = key->text; *c; c++)
        commas += *c == ',';
    key->value = calloc(commas + 1, sizeof *key->value);
    if (!key->value)
        return err_no_memory(error);
    char *cursor = strchr(key->text, '=');
    *cursor++ = '\0';
    key->name = key->text;
    for (;;) {
        char *comma = strchr(cursor, ',');
        key->value[key->count++] = cursor;
        if (!*cursor || comma == cursor)
            return err_set(error, SIMSM_BAD_INPUT,
                           "--vary %s: an empty value; give KEY=a,b,c or KEY=from:to:step",
                           key->name);
        if (!comma)
            return SIMSM_OK;
        *comma = '\0';
        cursor = comma + 1;
    }
}

enum simsm_status sweep_vary(struct sweep *sweep, const char *text, struct simsm_error *error)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return err_set(error, SIMSM_BAD_INPUT,
                       "--vary '%s': give KEY=a,b,c or KEY=from:to:step, for instance "
                       "sm.scheduler=gto,lrr or memory.fixed_latency=100:800:100",
                       text);
    if (sweep->keys == SWEEP_MAX_KEYS)
        return err_set(error, SIMSM_BAD_INPUT, "more than %d keys to vary", SWEEP_MAX_KEYS);
    for (uint32_t k = 0; k < sweep->keys; k++) {
        size_t length = (size_t)(equals - text);
        if (strlen(sweep->key[k].name) == length && memcmp(sweep->key[k].name, text, length) == 0)
            return err_set(error, SIMSM_BAD_INPUT, "--vary %s is given twice", sweep->key[k].name);
    }
    enum { LIST_BYTES = 1 << 20 };
    size_t name = (size_t)(equals - text) + 1;
    struct sweep_key *key = &sweep->key[sweep->keys++];
    key->text = calloc(1, strlen(text) + LIST_BYTES);
    if (!key->text)
        return err_no_memory(error);
    memcpy(key->text, text, name);
    if (!expand_range(equals + 1, key->text + name, LIST_BYTES))
        memcpy(key->text + name, equals + 1, strlen(equals + 1) + 1);
    return split(key, error);
}

const char *sweep_value(const struct sweep *sweep, uint32_t point, uint32_t key)
{
    for (uint32_t k = sweep->keys - 1; k > key; k--)
        point /= sweep->key[k].count;
    return sweep->key[key].value[point % sweep->key[key].count];
}

static const char parameter_prefix[] = "param.";

static bool is_config_key(const char *name)
{
    return strncmp(name, parameter_prefix, sizeof parameter_prefix - 1) != 0;
}

/* What a point's trace is opened with. */
struct point_params {
    char varied[SWEEP_MAX_KEYS][512];
    const char *list[SWEEP_MAX_PARAMS + SWEEP_MAX_KEYS + 1]; /* NULL ends them */
};

static enum simsm_status configure(const struct sweep *sweep, uint32_t point,
                                   struct simsm_config *config, struct point_params *params,
                                   struct simsm_error *error)
{
    size_t varied = 0, count = 0;
    *config = *sweep->config;
    while (count < sweep->param_count) {
        params->list[count] = sweep->params[count];
        count++;
    }
    for (uint32_t k = 0; k < sweep->keys; k++) {
        const char *name = sweep->key[k].name, *value = sweep_value(sweep, point, k);
        char assignment[512];
        int length = snprintf(assignment, sizeof assignment, "%s=%s", name, value);
        if (length < 0 || (size_t)length >= sizeof assignment)
            return err_set(error, SIMSM_BAD_INPUT, "--vary %.64s: a value is too long", name);
        if (!is_config_key(name)) {
            memcpy(params->varied[varied], assignment, sizeof assignment);
            params->list[count++] = params->varied[varied++] + sizeof parameter_prefix - 1;
            continue;
        }
        enum simsm_status status = simsm_config_set(config, assignment, error);
        if (status != SIMSM_OK)
            return status;
    }
    params->list[count] = NULL;
    return simsm_config_check(config, error);
}

static bool go_on(void *context, struct simsm *simulation)
{
    (void)context;
    (void)simulation;
    return !signals_first();
}

/* Runs a simulation so that a signal is heard. */
static enum simsm_status run_watched(const struct sweep *sweep, struct simsm *simulation,
                                     struct simsm_error *error)
{
    const struct simsm_watch watch = {go_on, NULL};
    front_stop_when(simsm_front(simulation), signals_first);
    enum simsm_status status = simsm_run_watched(simulation, sweep->max_cycles, &watch, error);
    if (status == SIMSM_INTERRUPTED)
        return err_set(error, status, "stopped by %s", signals_words());
    if (status == SIMSM_LIMIT && front_status(simsm_front(simulation), error) == SIMSM_OK)
        return err_set(error, status, "stopped by --max-cycles");
    return status;
}

static void run_point(const struct sweep *sweep, uint32_t index)
{
    struct sweep_point *point = &sweep->point[index];
    struct simsm_config config;
    struct point_params params;
    struct simsm *simulation = NULL;
    point->status = configure(sweep, index, &config, &params, &point->error);
    struct simsm_options options = {.parameters = params.list};
    if (point->status == SIMSM_OK)
        point->status = simsm_open(&simulation, &config, sweep->trace, &options, &point->error);
    if (point->status == SIMSM_OK)
        point->status = run_watched(sweep, simulation, &point->error);
    if (point->status == SIMSM_OK)
        metrics_compute(&config, simsm_stats(simulation), point->metric);
    else
        metrics_describe(point->metric);
    simsm_close(simulation);
}

struct crew {
    struct sweep *sweep;
    uint32_t next, finished;
    pthread_mutex_t lock;
    void (*on_point)(const struct sweep *sweep, uint32_t finished);
};

static void *work(void *context)
{
    struct crew *crew = context;
    for (;;) {
        (void)pthread_mutex_lock(&crew->lock);
        uint32_t index = crew->next++;
        (void)pthread_mutex_unlock(&crew->lock);
        if (index >= crew->sweep->points)
            return NULL;
        run_point(crew->sweep, index);
        (void)pthread_mutex_lock(&crew->lock);
        crew->finished++;
        if (crew->on_point)
            crew->on_point(crew->sweep, crew->finished);
        (void)pthread_mutex_unlock(&crew->lock);
    }
}

static void run_all(struct crew *crew, uint32_t jobs)
{
    pthread_t thread[256];
    uint32_t started = 0;
    while (started + 1 < jobs && started < 256 &&
           pthread_create(&thread[started], NULL, work, crew) == 0)
        started++;
    (void)work(crew); /* this thread works too, and alone if no other could be had */
    while (started)
        (void)pthread_join(thread[--started], NULL);
}

/* Whether point `index` can be simulated at all. */
static enum simsm_status try_point(const struct sweep *sweep, uint32_t index,
                                   struct simsm_error *error)
{
    struct simsm_config config;
    struct point_params params;
    struct simsm *simulation = NULL;
    enum simsm_status status = configure(sweep, index, &config, &params, error);
    struct simsm_options options = {.parameters = params.list};
    if (status == SIMSM_OK)
        status = simsm_open(&simulation, &config, sweep->trace, &options, error);
    simsm_close(simulation);
    return status;
}

/* A parameter has one value for all points, or is varied. */
static enum simsm_status check_params(const struct sweep *sweep, const struct sweep_key *key,
                                      struct simsm_error *error)
{
    const char *name = key->name + sizeof parameter_prefix - 1;
    if (sweep->param_count > SWEEP_MAX_PARAMS)
        return err_set(error, SIMSM_BAD_INPUT, "more than %d --param", SWEEP_MAX_PARAMS);
    for (size_t i = 0; !is_config_key(key->name) && i < sweep->param_count; i++) {
        const size_t length = strcspn(sweep->params[i], "=");
        if (strlen(name) == length && memcmp(sweep->params[i], name, length) == 0)
            return err_set(error, SIMSM_BAD_INPUT, "--vary %s: its value is given too: '%s'",
                           key->name, sweep->params[i]);
    }
    return SIMSM_OK;
}

static enum simsm_status check_values(const struct sweep *sweep, const struct sweep_key *key,
                                      struct simsm_error *error)
{
    for (uint32_t i = 0; is_config_key(key->name) && i < key->count; i++) {
        struct simsm_config config = *sweep->config;
        char assignment[512];
        (void)snprintf(assignment, sizeof assignment, "%s=%s", key->name, key->value[i]);
        enum simsm_status status = simsm_config_set(&config, assignment, error);
        if (status != SIMSM_OK)
            return status;
    }
    return SIMSM_OK;
}

enum simsm_status sweep_prepare(struct sweep *sweep, struct simsm_error *error)
{
    uint64_t points = 1;
    for (uint32_t k = 0; k < sweep->keys; k++) {
        points *= sweep->key[k].count;
        if (points > SWEEP_MAX_POINTS)
            return err_set(error, SIMSM_BAD_INPUT,
                           "the values combine to more than %d points; vary fewer",
                           SWEEP_MAX_POINTS);
    }
    sweep->points = (uint32_t)points;
    for (uint32_t k = 0; k < sweep->keys; k++) {
        enum simsm_status status = check_params(sweep, &sweep->key[k], error);
        if (status == SIMSM_OK)
            status = check_values(sweep, &sweep->key[k], error);
        if (status != SIMSM_OK)
            return status;
    }
    /* What neither the first nor the last point can open, a wrong path say, none can. */
    enum simsm_status first = try_point(sweep, 0, error);
    return first == SIMSM_OK ? first : try_point(sweep, sweep->points - 1, error);
}

enum simsm_status sweep_run(struct sweep *sweep, uint32_t jobs,
                            void (*on_point)(const struct sweep *sweep, uint32_t finished),
                            struct simsm_error *error)
{
    sweep->point = calloc(sweep->points, sizeof *sweep->point);
    if (!sweep->point)
        return err_no_memory(error);
    struct crew crew = {.sweep = sweep, .on_point = on_point};
    if (pthread_mutex_init(&crew.lock, NULL) != 0)
        return err_no_memory(error);
    run_all(&crew, jobs);
    (void)pthread_mutex_destroy(&crew.lock);
    for (uint32_t i = 0; i < sweep->points; i++) {
        if (sweep->point[i].status != SIMSM_OK) {
            *error = sweep->point[i].error;
            return sweep->point[i].status;
        }
    }
    return SIMSM_OK;
}

void sweep_free(struct sweep *sweep)
{
    for (uint32_t k = 0; k < sweep->keys; k++) {
        free(sweep->key[k].text);
        free(sweep->key[k].value);
    }
    free(sweep->point);
}
