#include "cli/lesson_json.h"

#include <string.h>

static json_t *text_of(struct lesson_section section)
{
    return json_stringn(section.text, section.size);
}

static json_t *list_of(const struct lesson_list *list)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < list->count; i++)
        (void)json_array_append_new(array, json_string(list->entry[i]));
    return array;
}

/* Returns the text before the numbered list of a section. */
static struct lesson_section before_list(struct lesson_section section)
{
    struct lesson_section first = lesson_entry(section, 1);
    if (first.size)
        section.size = (size_t)(first.text - section.text) - strlen("1. ");
    while (section.size && section.text[section.size - 1] == '\n')
        section.size--;
    return section;
}

static json_t *entries_of(struct lesson_section section)
{
    json_t *array = json_array();
    struct lesson_section entry;
    for (uint32_t i = 1; (entry = lesson_entry(section, i)).size; i++)
        (void)json_array_append_new(array, text_of(entry));
    return array;
}

static json_t *text_or_null(const char *text)
{
    return text[0] ? json_string(text) : json_null();
}

static json_t *exercise_json(const struct lesson *lesson, uint32_t number)
{
    const struct lesson_exercise *exercise = &lesson->exercise[number - 1];
    struct lesson_section task = lesson_entry(lesson_section(lesson, LESSON_EXERCISE_LIST), number);
    const bool asks = !exercise->check.count && !exercise->figure[0];
    return json_pack("{so so so so so so so so}", "task", text_of(task), "config",
                     text_or_null(exercise->config), "trace", text_or_null(exercise->trace), "set",
                     list_of(&exercise->set), "params", list_of(&exercise->params), "check",
                     list_of(&exercise->check), "figure", text_or_null(exercise->figure), "number",
                     asks ? json_real(exercise->number) : json_null());
}

json_t *lesson_json(const struct lesson *lesson)
{
    struct lesson_section predict = lesson_section(lesson, LESSON_PREDICT);
    json_t *exercises = json_array();
    for (uint32_t i = 1; i <= lesson->exercises; i++)
        (void)json_array_append_new(exercises, exercise_json(lesson, i));
    return json_pack("{si ss ss so so s{so so si} so so so so so}", "number", (int)lesson->number,
                     "name", lesson->name, "title", lesson->title, "question",
                     text_of(lesson_section(lesson, LESSON_QUESTION)), "code",
                     text_of(lesson_section(lesson, LESSON_CODE)), "predict", "question",
                     text_of(before_list(predict)), "answers", entries_of(predict), "answer",
                     (int)lesson->answer, "run", text_or_null(lesson->run), "experiment",
                     text_of(lesson_section(lesson, LESSON_EXPERIMENT)), "why",
                     text_of(lesson_section(lesson, LESSON_WHY)), "hardware",
                     text_of(lesson_section(lesson, LESSON_HARDWARE)), "exercises", exercises);
}
