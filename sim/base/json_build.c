#include "base/json_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void json_put(struct json_builder *builder, json_t *object, const char *key, json_t *value)
{
    builder->bad |= json_object_set_new(object, key, value);
}

void json_add(struct json_builder *builder, json_t *array, json_t *value)
{
    builder->bad |= json_array_append_new(array, value);
}

json_t *json_whole(uint64_t n)
{
    return json_integer((json_int_t)n);
}

json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_count(double value)
{
    return isfinite(value) && value == floor(value) && fabs(value) < 1e15
               ? json_integer((json_int_t)value)
               : json_number(value);
}

json_t *json_text(const char *text)
{
    json_t *value = text ? json_string(text) : json_null();
    char *safe = value ? NULL : strdup(text);
    for (char *byte = safe; safe && *byte; byte++)
        *byte = (unsigned char)*byte < 128 ? *byte : '?';
    if (safe)
        value = json_string(safe);
    free(safe);
    return value;
}

json_t *json_triple(struct json_builder *builder, const uint32_t size[3])
{
    json_t *array = json_array();
    for (int i = 0; i < 3; i++)
        json_add(builder, array, json_whole(size[i]));
    return array;
}
