/*
 * Runs one command on one core, with its output thrown away, and prints what it cost:
 *     warp instructions (from the JSON file that the command writes), CPU seconds, peak memory in
 * kB
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Stays on the last of the cores that it may use; the first is often the busiest. */
static void use_one_core(void)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores))
        return;
    size_t last = CPU_SETSIZE - 1;
    while (last > 0 && !CPU_ISSET(last, &cores))
        last--;
    CPU_ZERO(&cores);
    CPU_SET(last, &cores);
    (void)sched_setaffinity(0, sizeof cores, &cores);
}

/* Does not return. */
static void become(char **command)
{
    int null = open("/dev/null", O_RDWR);
    use_one_core();
    if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0)
        (void)execv(command[0], command);
    (void)fprintf(stderr, "%s: %s\n", command[0], strerror(errno));
    _exit(127);
}

/* Returns the counter, or -1 with a message. */
static int64_t read_instructions(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    const json_t *count =
        json_object_get(json_object_get(root, "counters"), "smsp__inst_executed.sum");
    int64_t instructions = json_is_integer(count) ? json_integer_value(count) : -1;
    if (instructions < 0)
        (void)fprintf(stderr, "%s: no counters[\"smsp__inst_executed.sum\"]: %s\n", path,
                      root ? "the member is missing" : error.text);
    json_decref(root);
    return instructions;
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        (void)fprintf(stderr, "usage: bench_measure JSON COMMAND...\n");
        return 2;
    }
    pid_t child = fork();
    if (child == 0)
        become(argv + 2);
    int status = 0;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        perror("bench_measure");
        return 1;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        (void)fprintf(stderr, "bench_measure: the command failed:");
        for (char **word = argv + 2; *word; word++)
            (void)fprintf(stderr, " %s", *word);
        (void)fprintf(stderr, "\n");
        return 1;
    }
    int64_t instructions = read_instructions(argv[1]);
    if (instructions < 0)
        return 1;
    (void)printf("%" PRId64 " %.6f %ld\n", instructions,
                 seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
    return 0;
}
