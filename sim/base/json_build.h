/*
 * Building JSON with jansson, whose *_new functions take their value over, also if they fail or the
 * value is NULL. A builder collects their results, so that one test at the end finds any lack of
 * memory.
 */
#ifndef SIM_BASE_JSON_BUILD_H
#define SIM_BASE_JSON_BUILD_H

#include <jansson.h>
#include <stdint.h>

struct json_builder {
    int bad; /* not 0: memory has run out */
};

void json_put(struct json_builder *builder, json_t *object, const char *key, json_t *value);
void json_add(struct json_builder *builder, json_t *array, json_t *value);

json_t *json_whole(uint64_t n);

/* Returns a number with a point, or null if it is not finite. */
json_t *json_number(double value);

/* Returns an integer if the value is one, a number with a point, or null if it is not finite. */
json_t *json_count(double value);

/* Returns a string, or null for NULL. Texts of programs and traces may be any bytes: if they are
 * no UTF-8, bytes outside of ASCII become '?'. */
json_t *json_text(const char *text);

/* Returns [x, y, z]. */
json_t *json_triple(struct json_builder *builder, const uint32_t size[3]);

#endif
