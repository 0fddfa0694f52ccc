/* Runs `simsm record` on a CUDA program in another process. */
#include "sweep/record_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/err.h"
#include "base/outfile.h"
#include "base/printable.h"
#include "sweep/inputs.h"

struct program_paths {
    char *config, *log, *recording, *program,
        *folder; /* absolute, because the program may run in another folder */
};

static void free_paths(struct program_paths *paths)
{
    free(paths->config);
    free(paths->log);
    free(paths->recording);
    free(paths->program);
    free(paths->folder);
}

static bool make_paths(const struct record_program *program, struct program_paths *paths)
{
    const struct spec_kernel *kernel = program->kernel;
    *paths =
        (struct program_paths){.recording = inputs_absolute(program->recording),
                               .program = inputs_absolute(kernel->path),
                               .folder = inputs_absolute(kernel->folder ? kernel->folder : ".")};
    if (!paths->recording)
        return false;
    const char *dot = strrchr(paths->recording, '.');
    SIMSM_CHECK(dot != NULL, "the recording '%s' has no ending", paths->recording);
    const int stem = (int)(dot - paths->recording);
    paths->config = text_format("%.*s.yaml", stem, paths->recording);
    paths->log = text_format("%.*s.log", stem, paths->recording);
    return paths->config && paths->log && paths->program && paths->folder;
}

static enum simsm_status write_config(const struct record_program *program, const char *path,
                                      struct simsm_error *error)
{
    struct outfile out = {0};
    enum simsm_status status = outfile_open(&out, path, error);
    if (status == SIMSM_OK)
        status = simsm_config_dump(program->config, out.file, error);
    if (status == SIMSM_OK)
        return outfile_commit(&out, error);
    outfile_abandon(&out);
    return status;
}

/* Executed in the new process: redirects its output to the log and becomes `simsm record`. */
static void exec_simsm(const struct record_program *program, const struct program_paths *paths,
                       char **words)
{
    const struct texts *env = &program->kernel->env;
    int log = open(paths->log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int none = open("/dev/null", O_RDONLY);
    bool good = log >= 0 && none >= 0 && dup2(none, STDIN_FILENO) >= 0 &&
                dup2(log, STDOUT_FILENO) >= 0 && dup2(log, STDERR_FILENO) >= 0;
    for (uint32_t i = 0; i < env->count && good; i++) {
        const char *equals = strchr(env->item[i].text, '=');
        char *name = text_copy(env->item[i].text, (size_t)(equals - env->item[i].text));
        good = name && setenv(name, equals + 1, 1) == 0;
        free(name);
    }
    if (good && chdir(paths->folder) != 0)
        (void)dprintf(STDERR_FILENO, "%s: %s\n", paths->folder, strerror(errno));
    else if (good)
        (void)execv(program->simsm, words);
    _exit(127);
}

static char **command(const struct record_program *program, const struct program_paths *paths)
{
    const struct texts *arguments = &program->kernel->program;
    const char *begin[] = {"simsm",
                           "record",
                           "--quiet",
                           paths->config,
                           "-o",
                           paths->recording,
                           program->kernels ? "--kernels" : NULL,
                           program->kernels,
                           program->launches ? "--launches" : NULL,
                           program->launches,
                           program->table ? "--table" : NULL,
                           program->table,
                           "--",
                           paths->program};
    const size_t most = sizeof begin / sizeof begin[0];
    char **words = calloc(most + arguments->count, sizeof *words);
    size_t count = 0;
    for (size_t i = 0; words && i < most; i++)
        if (begin[i])
            words[count++] = (char *)begin[i];
    for (uint32_t i = 1; words && i < arguments->count; i++)
        words[count++] = arguments->item[i].text;
    return words;
}

/* Copies the last line of the log that is not empty: programs report there why they end. A message
 * of simsm is preferred, as the program may print after it. */
static void last_line(const char *log, char line[256])
{
    static const char own[] = "simsm: ";
    char text[256];
    bool found = false;
    FILE *file = fopen(log, "r");
    line[0] = '\0';
    while (file && fgets(text, sizeof text, file)) {
        const bool is_own = strncmp(text, own, sizeof own - 1) == 0;
        text[strcspn(text, "\n")] = '\0';
        if (text[0] && (is_own || !found))
            (void)printable(is_own ? text + sizeof own - 1 : text, line, 256);
        found |= is_own;
    }
    if (file)
        (void)fclose(file);
}

/* Waits for the process. Kills it if `stop` returns nonzero; then *stopped is true. Returns the
 * status of waitpid(). */
static int wait_for(pid_t process, int (*stop)(void), bool *stopped)
{
    const struct timespec nap = {.tv_nsec = 20000000};
    int state = 0;
    pid_t ended;
    *stopped = false;
    while ((ended = waitpid(process, &state, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (stop && stop() && !*stopped) {
            *stopped = true;
            (void)kill(process, SIGKILL);
        }
        (void)nanosleep(&nap, NULL);
    }
    return state;
}

static enum simsm_status start(const struct record_program *program,
                               const struct program_paths *paths, struct simsm_error *error)
{
    char line[256];
    bool stopped;
    char **words = command(program, paths);
    if (!words)
        return err_no_memory(error);
    (void)fflush(NULL);
    pid_t process = fork();
    if (process == 0)
        exec_simsm(program, paths, words);
    free(words);
    if (process < 0)
        return err_set(error, SIMSM_FAILED, "cannot start a process: %s", strerror(errno));
    const int state = wait_for(process, program->stop, &stopped);
    if (stopped)
        return err_set(error, SIMSM_INTERRUPTED, "stopped");
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0)
        return SIMSM_OK;
    last_line(paths->log, line);
    return err_at(error, SIMSM_FAILED, paths->program, 0, 0, "%s %d%s%s; its whole output is in %s",
                  WIFEXITED(state) ? "ended with status" : "was ended by signal",
                  WIFEXITED(state) ? WEXITSTATUS(state) : WTERMSIG(state), line[0] ? ": " : "",
                  line, paths->log);
}

enum simsm_status record_program(const struct record_program *program, struct simsm_error *error)
{
    struct program_paths paths;
    enum simsm_status status = make_paths(program, &paths) ? SIMSM_OK : err_no_memory(error);
    if (status == SIMSM_OK)
        status = write_config(program, paths.config, error);
    if (status == SIMSM_OK)
        status = start(program, &paths, error);
    free_paths(&paths);
    return status;
}
