#include "cli/lesson_score.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/infile.h"
#include "base/outfile.h"

enum { SCORE_LIMIT = 64 * 1024 };

static const char head[] = "simsm learn 1";

static enum simsm_status find_path(struct score *score, struct simsm_error *error)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (state && state[0] == '/')
        length = snprintf(score->path, sizeof score->path, "%s/simsm/learn", state);
    else if (home && home[0] == '/')
        length = snprintf(score->path, sizeof score->path, "%s/.local/state/simsm/learn", home);
    if (length > 0 && (size_t)length < sizeof score->path)
        return SIMSM_OK;
    return err_set(error, SIMSM_BAD_INPUT,
                   "the score has no place: set HOME or XDG_STATE_HOME to the path of a folder");
}

struct score_lesson *score_of(struct score *score, const char *name)
{
    for (uint32_t i = 0; i < score->count; i++)
        if (strcmp(score->lesson[i].name, name) == 0)
            return &score->lesson[i];
    if (score->count == SCORE_LESSONS || strlen(name) >= sizeof score->lesson[0].name)
        return NULL;
    struct score_lesson *lesson = &score->lesson[score->count++];
    *lesson = (struct score_lesson){0};
    (void)snprintf(lesson->name, sizeof lesson->name, "%s", name);
    return lesson;
}

/* Reads "NAME predicted right", "NAME predicted wrong" or "NAME solved K". */
static bool read_line(struct score *score, const char *line)
{
    char name[64], verb[16], value[16], rest[2];
    if (sscanf(line, "%63s %15s %15s %1s", name, verb, value, rest) != 3)
        return false;
    struct score_lesson *lesson = score_of(score, name);
    if (!lesson)
        return false;
    if (strcmp(verb, "predicted") == 0) {
        bool right = strcmp(value, "right") == 0;
        lesson->prediction = right ? PREDICTION_RIGHT : PREDICTION_WRONG;
        return right || strcmp(value, "wrong") == 0;
    }
    if (strcmp(verb, "solved") != 0 || value[0] < '1' || value[0] > '9' || value[1])
        return false;
    lesson->solved |= 1u << (value[0] - '1');
    return true;
}

enum simsm_status score_read(struct score *score, struct simsm_error *error)
{
    char *text;
    size_t size;
    *score = (struct score){0};
    enum simsm_status status = find_path(score, error);
    if (status != SIMSM_OK || access(score->path, F_OK) != 0)
        return status;
    status = infile_read(score->path, "score", SCORE_LIMIT, &text, &size, error);
    if (status != SIMSM_OK)
        return status;
    uint32_t number = 0;
    for (char *line = text; status == SIMSM_OK && *line;) {
        char *end = line + strcspn(line, "\n");
        char *next = *end ? end + 1 : end;
        *end = '\0';
        number++;
        bool good = number == 1 ? strcmp(line, head) == 0 : read_line(score, line);
        if (!good)
            status = err_at(error, SIMSM_BAD_INPUT, score->path, number, 0,
                            "this is no line of a score: '%.60s'; expected '%s'; correct the file, "
                            "or remove it to begin anew",
                            line, number == 1 ? head : "LESSON predicted right|wrong or solved K");
        line = next;
    }
    free(text);
    return status;
}

static enum simsm_status make_folders(const char *path, struct simsm_error *error)
{
    char folder[SCORE_PATH];
    (void)snprintf(folder, sizeof folder, "%s", path);
    for (char *at = folder + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        if (mkdir(folder, 0700) != 0 && errno != EEXIST)
            return err_set(error, SIMSM_BAD_INPUT,
                           "the score cannot be kept: folder %s cannot be made: %s", folder,
                           strerror(errno));
        *at = '/';
    }
    return SIMSM_OK;
}

enum simsm_status score_write(const struct score *score, struct simsm_error *error)
{
    struct outfile out;
    enum simsm_status status = make_folders(score->path, error);
    if (status == SIMSM_OK)
        status = outfile_open(&out, score->path, error);
    if (status != SIMSM_OK)
        return status;
    (void)fprintf(out.file, "%s\n", head);
    for (uint32_t i = 0; i < score->count; i++) {
        const struct score_lesson *lesson = &score->lesson[i];
        if (lesson->prediction != PREDICTION_NONE)
            (void)fprintf(out.file, "%s predicted %s\n", lesson->name,
                          lesson->prediction == PREDICTION_RIGHT ? "right" : "wrong");
        for (uint32_t k = 0; k < 9; k++)
            if (lesson->solved >> k & 1)
                (void)fprintf(out.file, "%s solved %u\n", lesson->name, k + 1);
    }
    return outfile_commit(&out, error);
}
