/*
 * Nothing is allocated while cycles are simulated: for each line of kernels.txt
 *
 *     TRACE CONFIG [KEY=VALUE | param.NAME=VALUE ...] : WARM
 *
 * simulates the kernel on one thread, and fails if gpu_run() uses the heap from cycle WARM on; it
 * says where. WARM is 0 where all is sized before the first cycle, and then it does so on three
 * threads, too: which block gets whose memory is not the same twice there, so that the cycle from
 * which all have enough is not.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "gpu/gpu.h"
#include "heap.h"
#include "simsm/simsm.h"

enum { MAX_WORDS = 32, MAX_LINE = 1024 };

struct kernel {
    const char *trace, *config;
    const char *set[MAX_WORDS], *parameter[MAX_WORDS];
    uint32_t sets, parameters;
    uint64_t warm; /* cycles */
};

static bool is_warm;

/* The linker puts these in place of gpu_run() (--wrap). */
enum simsm_status __real_gpu_run(struct gpu *gpu, uint64_t until, uint64_t bound,
                                 struct simsm_error *error);
enum simsm_status __wrap_gpu_run(struct gpu *gpu, uint64_t until, uint64_t bound,
                                 struct simsm_error *error);

enum simsm_status __wrap_gpu_run(struct gpu *gpu, uint64_t until, uint64_t bound,
                                 struct simsm_error *error)
{
    heap_watch(is_warm);
    enum simsm_status status = __real_gpu_run(gpu, until, bound, error);
    heap_watch(false);
    return status;
}

static bool fail(const struct kernel *kernel, uint32_t threads, const char *what)
{
    (void)fprintf(stderr, "%s on %s, %u threads: %s\n", kernel->trace, kernel->config, threads,
                  what);
    return false;
}

static enum simsm_status open(struct simsm **simulation, const struct kernel *kernel,
                              uint32_t threads, struct simsm_error *error)
{
    struct simsm_config config;
    struct simsm_options options = {.parameters = kernel->parameter, .threads = threads};
    enum simsm_status status = simsm_config_load(&config, kernel->config, error);
    for (uint32_t i = 0; status == SIMSM_OK && i < kernel->sets; i++)
        status = simsm_config_set(&config, kernel->set[i], error);
    return status == SIMSM_OK ? simsm_open(simulation, &config, kernel->trace, &options, error)
                              : status;
}

static bool simulate(const struct kernel *kernel, uint32_t threads, const char *program)
{
    char text[1200];
    struct simsm_error error = {0};
    struct simsm *simulation = NULL;
    enum simsm_status status = open(&simulation, kernel, threads, &error);
    bool ended = false;
    heap_forget();
    is_warm = false;
    if (status == SIMSM_OK && kernel->warm) {
        status = simsm_run(simulation, kernel->warm, &error);
        ended = status == SIMSM_OK;
        status = status == SIMSM_LIMIT ? SIMSM_OK : status;
    }
    is_warm = true;
    if (status == SIMSM_OK)
        status = simsm_run(simulation, UINT64_MAX, &error);
    simsm_close(simulation);
    if (status != SIMSM_OK)
        return fail(kernel, threads, simsm_error_text(&error, text, sizeof text));
    if (ended)
        return fail(kernel, threads, "ended before the cycle from which on the heap is watched");
    if (heap_calls() == 0)
        return true;
    (void)snprintf(text, sizeof text, "the run loop uses the heap %lu times from cycle %llu on",
                   heap_calls(), (unsigned long long)kernel->warm);
    (void)fail(kernel, threads, text);
    heap_print_callers(stderr, program);
    return false;
}

static bool parse(char *line, struct kernel *kernel)
{
    char *colon = strstr(line, " : ");
    if (!colon || line[0] == '#')
        return false;
    *colon = '\0';
    *kernel = (struct kernel){.warm = strtoull(colon + 3, NULL, 10)};
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
        if (!kernel->trace)
            kernel->trace = word;
        else if (!kernel->config)
            kernel->config = word;
        else if (strncmp(word, "param.", 6) == 0 && kernel->parameters + 1 < MAX_WORDS)
            kernel->parameter[kernel->parameters++] = word + 6;
        else if (kernel->sets < MAX_WORDS)
            kernel->set[kernel->sets++] = word;
    }
    return kernel->config != NULL;
}

/* The heap is seen at all, in this program and in the C library; so are arenas and their pages. */
static bool heap_is_seen(void)
{
    struct arena arena = {0};
    heap_forget();
    heap_watch(true);
    char *volatile text = strdup("seen");
    free(text);
    bool seen = heap_calls() == 2;
    heap_forget();
    seen &= arena_take(&arena, 1, 1) != NULL; /* with an mmap */
    seen &= arena_take(&arena, 1, 1) != NULL; /* without */
    heap_watch(false);
    arena_free(&arena);
    return seen && heap_calls() == 3;
}

int main(int argc, char **argv)
{
    char line[MAX_LINE];
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    struct kernel kernel;
    int runs = 0, bad = !heap_is_seen();
    if (bad)
        (void)fprintf(stderr, "calls of malloc, mmap or arena_take are not seen\n");
    while (file && fgets(line, sizeof line, file)) {
        if (!parse(line, &kernel))
            continue;
        runs++;
        bad += !simulate(&kernel, 1, argv[0]) || (!kernel.warm && !simulate(&kernel, 3, argv[0]));
    }
    if (file)
        (void)fclose(file);
    (void)printf("%d kernels, %d failed\n", runs, bad);
    return bad || !runs;
}
