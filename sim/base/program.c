#include "base/program.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"

extern char **environ;

/* Reads to the end of `from`; keeps what fits into `said`. */
static void read_all(int from, char *said, size_t size)
{
    size_t used = 0;
    char rest[256];
    for (;;) {
        const bool room = used + 1 < size;
        ssize_t got = read(from, room ? said + used : rest, room ? size - 1 - used : sizeof rest);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        used += room ? (size_t)got : 0;
    }
    said[used] = '\0';
}

/* Starts a program. *from becomes the reading end of its standard output and stderr. Returns 0 or
 * an errno. */
static int start(const char *const *words, pid_t *process, int *from)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (pipe(ends) != 0)
        return errno;
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_addclose(&actions, ends[0]);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    (void)posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int bad = posix_spawnp(process, words[0], &actions, NULL, (char *const *)words, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[1]);
    if (bad)
        (void)close(ends[0]);
    *from = ends[0];
    return bad;
}

enum simsm_status program_ask(const char *const *words, char *said, size_t size, bool *good,
                              struct simsm_error *error)
{
    pid_t process;
    int from = -1, state = 0;
    const int bad = start(words, &process, &from);
    if (bad)
        return err_set(error, SIMSM_FAILED, "%s cannot be started: %s%s", words[0], strerror(bad),
                       bad == ENOENT ? "; is it installed on this machine?" : "");
    read_all(from, said, size);
    (void)close(from);
    while (waitpid(process, &state, 0) < 0 && errno == EINTR)
        continue;
    *good = WIFEXITED(state) && WEXITSTATUS(state) == 0;
    return SIMSM_OK;
}
