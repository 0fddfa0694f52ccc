/* The language of the page. */
#include <jansson.h>

#include "base/err.h"
#include "language/language.h"
#include "web/web.h"

int web_language(const char *name)
{
    return language_choose(name) ? SIMSM_OK : SIMSM_BAD_INPUT;
}

int web_words(void)
{
    struct simsm_error error;
    json_t *words = json_object();
    const char *english, *translation;
    for (uint32_t i = 0; (translation = translation_at(i, &english)); i++)
        (void)json_object_set_new(words, english, json_string(translation));
    const bool written = words && json_dump_file(words, "/words.json", 0) == 0;
    json_decref(words);
    return written ? SIMSM_OK : web_fail((err_no_memory(&error), &error));
}
