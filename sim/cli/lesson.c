#include "cli/lesson.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/infile.h"
#include "config/yaml_reader.h"
#include "language/language.h"

enum { PAGE_LIMIT = 1 << 20 };

static const char block_begin[] = "<!-- simsm learn\n", block_end[] = "-->";

static bool has_lessons(const char *root)
{
    char path[LESSON_PATH + 16];
    struct stat info;
    (void)snprintf(path, sizeof path, "%s/lessons", root);
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

enum simsm_status lesson_root(char root[LESSON_PATH], struct simsm_error *error)
{
    static const char *const beside[] = {"", "/" SIMSM_DATADIR_FROM_BIN};
    char self[LESSON_PATH - 32];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    for (unsigned i = 0; slash && i < sizeof beside / sizeof beside[0]; i++) {
        (void)snprintf(root, LESSON_PATH, "%s%s", self, beside[i]);
        if (has_lessons(root))
            return SIMSM_OK;
    }
    (void)snprintf(root, LESSON_PATH, "%s", SIMSM_DATADIR);
    if (has_lessons(root))
        return SIMSM_OK;
    return err_set(error, SIMSM_BAD_INPUT,
                   "the lessons are not installed: there is no folder %s/lessons", SIMSM_DATADIR);
}

/* Returns the number that a file name begins with, "04-coalescing.md"; 0 if it is no lesson. */
static uint32_t number_of(const char *name)
{
    char *end;
    unsigned long number = name[0] >= '0' && name[0] <= '9' ? strtoul(name, &end, 10) : 0;
    size_t length = strlen(name);
    bool page = number && number < 100 && *end == '-' && length > 3 &&
                strcmp(name + length - 3, ".md") == 0;
    return page ? (uint32_t)number : 0;
}

uint32_t lesson_count(void)
{
    char root[LESSON_PATH], path[LESSON_PATH + 16];
    struct simsm_error error;
    uint32_t last = 0;
    if (lesson_root(root, &error) != SIMSM_OK)
        return 0;
    (void)snprintf(path, sizeof path, "%s/lessons", root);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        uint32_t number = number_of(entry->d_name);
        last = number > last ? number : last;
    }
    if (folder)
        (void)closedir(folder);
    return last;
}

static enum simsm_status find_page(struct lesson *lesson, const char *root,
                                   struct simsm_error *error)
{
    char path[LESSON_PATH + 16];
    bool found = false;
    (void)snprintf(path, sizeof path, "%s/lessons", root);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && !found && (entry = readdir(folder));) {
        found = number_of(entry->d_name) == lesson->number;
        if (found) {
            (void)snprintf(lesson->path, sizeof lesson->path, "%.3500s/%.255s", path,
                           entry->d_name);
            (void)snprintf(lesson->name, sizeof lesson->name, "%.*s",
                           (int)strlen(strchr(entry->d_name, '-')) - 4,
                           strchr(entry->d_name, '-') + 1);
        }
    }
    if (folder)
        (void)closedir(folder);
    if (found)
        return SIMSM_OK;
    return err_set(error, SIMSM_BAD_INPUT,
                   "there is no lesson %u; `simsm learn` lists lessons 1 to %u", lesson->number,
                   lesson_count());
}

static enum simsm_status read_text(struct yaml_reader *reader, const char *key, char *to)
{
    const char *value = yaml_reader_scalar(reader);
    if (!value || strlen(value) >= LESSON_ENTRY)
        return yaml_reader_fail(reader, yaml_reader_place(reader),
                                "%s: expected a text of at most %d bytes", key, LESSON_ENTRY - 1);
    (void)snprintf(to, LESSON_ENTRY, "%s", value);
    return SIMSM_OK;
}

static enum simsm_status read_list(struct yaml_reader *reader, const char *key,
                                   struct lesson_list *list)
{
    if (reader->event.type != YAML_SEQUENCE_START_EVENT)
        return yaml_reader_fail(reader, yaml_reader_place(reader), "%s: expected a list, found %s",
                                key, yaml_reader_kind(reader));
    for (;;) {
        enum simsm_status status = yaml_reader_next(reader);
        if (status != SIMSM_OK || reader->event.type == YAML_SEQUENCE_END_EVENT)
            return status;
        if (list->count == LESSON_LIST)
            return yaml_reader_fail(reader, yaml_reader_place(reader), "%s: more than %d entries",
                                    key, LESSON_LIST);
        status = read_text(reader, key, list->entry[list->count++]);
        if (status != SIMSM_OK)
            return status;
    }
}

static enum simsm_status read_number(struct yaml_reader *reader, const char *key, double *number)
{
    char text[LESSON_ENTRY], *end;
    enum simsm_status status = read_text(reader, key, text);
    if (status != SIMSM_OK)
        return status;
    *number = strtod(text, &end);
    if (end == text || *end)
        return yaml_reader_fail(reader, yaml_reader_place(reader), "%s: '%s' is no number", key,
                                text);
    return SIMSM_OK;
}

static enum simsm_status read_exercise_key(struct yaml_reader *reader, const char *key,
                                           struct lesson_exercise *exercise)
{
    if (strcmp(key, "config") == 0)
        return read_text(reader, key, exercise->config);
    if (strcmp(key, "trace") == 0)
        return read_text(reader, key, exercise->trace);
    if (strcmp(key, "figure") == 0)
        return read_text(reader, key, exercise->figure);
    if (strcmp(key, "number") == 0)
        return read_number(reader, key, &exercise->number);
    if (strcmp(key, "set") == 0)
        return read_list(reader, key, &exercise->set);
    if (strcmp(key, "params") == 0)
        return read_list(reader, key, &exercise->params);
    if (strcmp(key, "check") == 0)
        return read_list(reader, key, &exercise->check);
    return yaml_reader_fail(reader, yaml_reader_place(reader),
                            "'%s': expected config, trace, set, params, check, figure or number",
                            key);
}

/* Reads the keys of a mapping; `whole` is the lesson of the outer mapping, NULL in an exercise. */
static enum simsm_status read_keys(struct yaml_reader *reader, struct lesson *whole,
                                   struct lesson_exercise *exercise);

static enum simsm_status read_exercises(struct yaml_reader *reader, struct lesson *lesson)
{
    if (reader->event.type != YAML_SEQUENCE_START_EVENT)
        return yaml_reader_fail(reader, yaml_reader_place(reader), "exercises: expected a list");
    for (;;) {
        enum simsm_status status = yaml_reader_next(reader);
        if (status != SIMSM_OK || reader->event.type == YAML_SEQUENCE_END_EVENT)
            return status;
        if (reader->event.type != YAML_MAPPING_START_EVENT || lesson->exercises == LESSON_EXERCISES)
            return yaml_reader_fail(reader, yaml_reader_place(reader),
                                    "exercises: expected at most %d entries with keys and values",
                                    LESSON_EXERCISES);
        status = read_keys(reader, NULL, &lesson->exercise[lesson->exercises++]);
        if (status != SIMSM_OK)
            return status;
    }
}

static enum simsm_status read_lesson_key(struct yaml_reader *reader, const char *key,
                                         struct lesson *lesson)
{
    double answer = 0;
    if (strcmp(key, "exercises") == 0)
        return read_exercises(reader, lesson);
    if (strcmp(key, "run") == 0)
        return read_text(reader, key, lesson->run);
    if (strcmp(key, "answer") != 0)
        return yaml_reader_fail(reader, yaml_reader_place(reader),
                                "'%s': expected answer, run or exercises", key);
    enum simsm_status status = read_number(reader, key, &answer);
    lesson->answer = (uint32_t)answer;
    return status;
}

static enum simsm_status read_keys(struct yaml_reader *reader, struct lesson *whole,
                                   struct lesson_exercise *exercise)
{
    for (;;) {
        char key[LESSON_ENTRY];
        enum simsm_status status = yaml_reader_next(reader);
        if (status != SIMSM_OK || reader->event.type == YAML_MAPPING_END_EVENT)
            return status;
        status = read_text(reader, "key", key);
        if (status == SIMSM_OK)
            status = yaml_reader_next(reader);
        if (status == SIMSM_OK)
            status = whole ? read_lesson_key(reader, key, whole)
                           : read_exercise_key(reader, key, exercise);
        if (status != SIMSM_OK)
            return status;
    }
}

/* Reads the block of data. Everything before it is blanked first, so that places in messages are
 * those of the page. */
static enum simsm_status read_data(struct lesson *lesson, struct simsm_error *error)
{
    const char *begin = strstr(lesson->text, block_begin);
    const char *end = begin ? strstr(begin, block_end) : NULL;
    if (!end)
        return err_at(error, SIMSM_BAD_INPUT, lesson->path, 0, 0,
                      "has no block '<!-- simsm learn', which this command needs");
    size_t from = (size_t)(begin - lesson->text) + sizeof block_begin - 1;
    size_t size = (size_t)(end - lesson->text);
    char *data = malloc(size + 1);
    if (!data)
        return err_no_memory(error);
    memcpy(data, lesson->text, size);
    for (size_t i = 0; i < from; i++)
        if (data[i] != '\n')
            data[i] = ' ';
    struct yaml_reader reader;
    enum simsm_status status = yaml_reader_open(&reader, data, size, lesson->path, error);
    if (status == SIMSM_OK)
        status = read_keys(&reader, lesson, NULL);
    yaml_reader_close(&reader);
    free(data);
    return status;
}

/* Puts the page of the same name in the chosen language in place of the English text. */
static enum simsm_status read_translation(struct lesson *lesson, struct simsm_error *error)
{
    char path[LESSON_PATH + 512];
    const char *file = strrchr(lesson->path, '/');
    (void)snprintf(path, sizeof path, "%.*s/%.16s%s", (int)(file - lesson->path), lesson->path,
                   language_name(), file);
    if (access(path, F_OK) != 0)
        return SIMSM_OK;
    lesson_free(lesson);
    return infile_read(path, "lesson", PAGE_LIMIT, &lesson->text, &lesson->size, error);
}

enum simsm_status lesson_read(struct lesson *lesson, uint32_t number, struct simsm_error *error)
{
    char root[LESSON_PATH];
    *lesson = (struct lesson){.number = number};
    enum simsm_status status = lesson_root(root, error);
    if (status == SIMSM_OK)
        status = find_page(lesson, root, error);
    if (status == SIMSM_OK)
        status =
            infile_read(lesson->path, "lesson", PAGE_LIMIT, &lesson->text, &lesson->size, error);
    if (status == SIMSM_OK)
        status = read_data(lesson, error);
    if (status == SIMSM_OK)
        status = read_translation(lesson, error);
    if (status != SIMSM_OK)
        return status;
    const char *title = strncmp(lesson->text, "# ", 2) == 0 ? lesson->text + 2 : lesson->text;
    (void)snprintf(lesson->title, sizeof lesson->title, "%.*s", (int)strcspn(title, "\n"), title);
    return SIMSM_OK;
}

void lesson_free(struct lesson *lesson)
{
    free(lesson->text);
    lesson->text = NULL;
}

/* Returns the next heading `## ...` from `text` on; NULL if there is none. */
static const char *next_heading(const char *text)
{
    const char *at = strstr(text, "\n## ");
    return at ? at + 1 : NULL;
}

/* Returns the heading of a part, "## ...", and of the question the title; NULL if there is none. */
static const char *find_part(const struct lesson *lesson, enum lesson_part part)
{
    const char *heading = lesson->text;
    for (int i = 0; heading && i < (int)part; i++)
        heading = next_heading(heading);
    return heading;
}

struct lesson_section lesson_heading(const struct lesson *lesson, enum lesson_part part)
{
    const char *heading = find_part(lesson, part);
    if (!heading)
        return (struct lesson_section){"", 0};
    heading += strspn(heading, "# ");
    return (struct lesson_section){heading, strcspn(heading, "\n")};
}

struct lesson_section lesson_section(const struct lesson *lesson, enum lesson_part part)
{
    const char *begin = find_part(lesson, part);
    if (!begin)
        return (struct lesson_section){"", 0};
    begin += strcspn(begin, "\n");
    const char *end = next_heading(begin), *data = strstr(begin, block_begin);
    if (!end || (data && data < end))
        end = data ? data : lesson->text + lesson->size;
    while (begin < end && *begin == '\n')
        begin++;
    while (end > begin && end[-1] == '\n')
        end--;
    return (struct lesson_section){begin, (size_t)(end - begin)};
}

struct lesson_section lesson_entry(struct lesson_section section, uint32_t number)
{
    char mark[16], after[16];
    (void)snprintf(mark, sizeof mark, "%u. ", number);
    (void)snprintf(after, sizeof after, "\n%u. ", number + 1);
    const char *end = section.text + section.size, *at = section.text;
    while (at < end && strncmp(at, mark, strlen(mark)) != 0) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        at = line ? line + 1 : end;
    }
    if (at >= end)
        return (struct lesson_section){"", 0};
    at += strlen(mark);
    const char *next = strstr(at, after);
    if (next && next < end)
        end = next;
    return (struct lesson_section){at, (size_t)(end - at)};
}
