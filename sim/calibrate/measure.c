#include "calibrate/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "calibrate/worker.h"

/* Data that all points of a measurement share. */
struct measuring {
    const struct measure *what;
    struct record *record;
    struct gpu_about about;
    struct worker worker;
    struct worker_answer *answer;
    struct point *point;
};

static enum simsm_status put_row(struct measuring *m, const struct table *table,
                                 struct simsm_error *error)
{
    struct record_row row;
    const struct worker_answer *a = m->answer;
    record_fill(&row, table, m->point, a->measured, a->runs);
    if (!a->runs)
        (void)snprintf(row.note, sizeof row.note, "%.*s", RECORD_NOTE - 1, a->error.message);
    if (!record_put(m->record, &row)) {
        free(row.list);
        return err_no_memory(error);
    }
    if (m->what->told)
        m->what->told(m->what->context, &row);
    return SIMSM_OK;
}

/* Answers for a point whose kernels were not built for this compute capability. */
static void answer_without_kernels(struct measuring *m, const char *cubin)
{
    const uint32_t sm = m->about.compute_capability;
    struct simsm_error *error = &m->answer->error;
    m->answer->runs = 0;
    (void)err_set(error, SIMSM_BAD_INPUT, "no kernels for compute capability %u.%u: there is no %s",
                  sm / 10, sm % 10, cubin);
}

static enum simsm_status measure_point(struct measuring *m, const struct table *table,
                                       uint32_t index, struct simsm_error *error)
{
    char cubin[PLAN_PATH];
    tables_cubin(m->what->tables, table, m->about.compute_capability, cubin);
    enum simsm_status status = table_point(table, index, m->point, error);
    const bool metric = status == SIMSM_OK && m->point->result.take == TAKE_METRIC;
    if (status == SIMSM_OK && !metric && access(cubin, F_OK) != 0)
        answer_without_kernels(m, cubin);
    else if (status == SIMSM_OK && !metric)
        status = worker_measure(&m->worker, table, index, cubin, m->what->repeat, m->answer, error);
    if (status == SIMSM_OK && !metric)
        status = put_row(m, table, error);
    point_free(m->point);
    return status;
}

/* Launches a point that takes a metric, for the profiler around this process. Points without
 * kernels for this GPU are left out. */
static enum simsm_status launch_point(struct measuring *m, struct measured_gpu *gpu,
                                      const struct table *table, uint32_t index,
                                      struct simsm_error *error)
{
    char cubin[PLAN_PATH];
    const struct measure *what = m->what;
    tables_cubin(what->tables, table, gpu_about(gpu)->compute_capability, cubin);
    enum simsm_status status = table_point(table, index, m->point, error);
    if (status == SIMSM_OK && m->point->result.take == TAKE_METRIC &&
        m->point->warm == what->warm && access(cubin, F_OK) == 0) {
        status = gpu_load(gpu, cubin, error);
        if (status == SIMSM_OK)
            status = gpu_measure(gpu, m->point, what->repeat, m->answer->measured, error);
        if (status == SIMSM_OK)
            what->launched(table, m->point);
    }
    point_free(m->point);
    return status;
}

enum simsm_status measure_launch(const struct measure *what, struct simsm_error *error)
{
    struct measuring m = {.what = what};
    struct measured_gpu *gpu = NULL;
    m.answer = calloc(1, sizeof *m.answer);
    m.point = calloc(1, sizeof *m.point);
    enum simsm_status status =
        m.answer && m.point ? gpu_open(&gpu, true, error) : err_no_memory(error);
    for (uint32_t i = 0; status == SIMSM_OK && i < what->tables->count; i++) {
        const struct table *table = &what->tables->table[i];
        for (uint32_t k = 0; status == SIMSM_OK && k < table->points; k++)
            if (tables_chosen(what->tables, table, k))
                status = launch_point(&m, gpu, table, k, error);
    }
    gpu_close(gpu);
    free(m.answer);
    free(m.point);
    return status;
}

static enum simsm_status measure_table(struct measuring *m, const struct table *table,
                                       struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; status == SIMSM_OK && i < table->points; i++) {
        if (m->what->stop && m->what->stop())
            return err_set(error, SIMSM_INTERRUPTED, "at %s", table->point[i].name);
        if (tables_chosen(m->what->tables, table, i))
            status = measure_point(m, table, i, error);
    }
    return status;
}

static enum simsm_status check_gpu(const struct simsm_config *config, const struct gpu_about *about,
                                   struct simsm_error *error)
{
    if (about->compute_capability == config->gpu_compute_capability)
        return SIMSM_OK;
    return err_set(error, SIMSM_BAD_INPUT,
                   "the GPU here is a %s of compute capability %u.%u, not a %s, which has %u.%u",
                   about->name, about->compute_capability / 10, about->compute_capability % 10,
                   config->gpu_name, config->gpu_compute_capability / 10,
                   config->gpu_compute_capability % 10);
}

enum simsm_status measure(const struct measure *what, struct record *record,
                          struct gpu_about *about, struct simsm_error *error)
{
    struct measuring m = {.what = what, .record = record, .worker = WORKER_NONE(what->seconds)};
    m.answer = calloc(1, sizeof *m.answer);
    m.point = calloc(1, sizeof *m.point);
    enum simsm_status status = m.answer && m.point ? SIMSM_OK : err_no_memory(error);
    if (status == SIMSM_OK)
        status = worker_about(&m.worker, &m.about, error);
    if (status == SIMSM_OK)
        status = check_gpu(what->config, &m.about, error);
    *about = status == SIMSM_OK ? m.about : (struct gpu_about){.sms = 0};
    for (uint32_t i = 0; status == SIMSM_OK && i < what->tables->count; i++)
        status = measure_table(&m, &what->tables->table[i], error);
    worker_end(&m.worker);
    free(m.answer);
    free(m.point);
    return status;
}
