#include "base/companion.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"

extern char **environ;

enum { PATH_ROOM = 4096 };

/* Writes the path of the program `name` in the folder of this program. Returns false if there is no
 * such program. */
static bool find_beside(const char *name, char path[PATH_ROOM])
{
    char self[PATH_ROOM];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (!slash)
        return false;
    *slash = '\0';
    int whole = snprintf(path, PATH_ROOM, "%s/%s", self, name);
    return whole > 0 && whole < PATH_ROOM && access(path, X_OK) == 0;
}

static int spawn(pid_t *process, const char *name, char **argv, int output, int errors)
{
    char path[PATH_ROOM];
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure)
        return failure;
    if (output == COMPANION_SILENT)
        failure =
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    else
        failure = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!failure)
        failure = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    if (!failure)
        failure = find_beside(name, path)
                      ? posix_spawn(process, path, &actions, NULL, argv, environ)
                      : posix_spawnp(process, name, &actions, NULL, argv, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    return failure;
}

enum simsm_status companion_start(struct companion *companion, const char *name,
                                  const char *const words[], int output, int errors,
                                  struct simsm_error *error)
{
    size_t count = 0;
    while (words[count])
        count++;
    char **argv = calloc(count + 2, sizeof *argv);
    companion->process = 0;
    if (!argv)
        return err_no_memory(error);
    argv[0] = (char *)name;
    for (size_t i = 0; i < count; i++)
        argv[i + 1] = (char *)words[i];
    (void)fflush(NULL); /* output of this process comes first */
    int failure = spawn(&companion->process, name, argv, output, errors);
    free(argv);
    if (!failure)
        return SIMSM_OK;
    companion->process = 0;
    return err_set(error, SIMSM_FAILED,
                   failure == ENOENT
                       ? "%s was not found, neither beside this program nor in PATH%s%s"
                       : "%s cannot be started: %s%s",
                   name, failure == ENOENT ? "" : strerror(failure),
                   failure == ENOENT ? "; build or install it too (docs/dependencies.md)" : "");
}

bool companion_ended(struct companion *companion, bool now, int *result)
{
    int status = 0;
    pid_t ended;
    if (!companion->process)
        return false;
    do
        ended = waitpid(companion->process, &status, now ? WNOHANG : 0);
    while (ended < 0 && errno == EINTR);
    if (ended == 0)
        return false;
    companion->process = 0;
    *result = ended < 0             ? SIMSM_FAILED
              : WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                                    : WEXITSTATUS(status);
    return true;
}

enum simsm_status companion_wait(struct companion *companion, int (*stop)(void), int *result)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    while (companion->process && !companion_ended(companion, true, result)) {
        if (stop()) {
            companion_stop(companion);
            return SIMSM_INTERRUPTED;
        }
        (void)nanosleep(&pause, NULL);
    }
    return stop() ? SIMSM_INTERRUPTED : SIMSM_OK;
}

void companion_stop(struct companion *companion)
{
    int result;
    if (!companion->process)
        return;
    (void)kill(companion->process, SIGTERM);
    (void)companion_ended(companion, false, &result);
}
