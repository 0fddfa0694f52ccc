/*
 * YAML events with what configurations do not use refused: aliases, anchors, tags, further
 * documents, binary data. Every message has its place in the file.
 */
#ifndef SIM_CONFIG_YAML_READER_H
#define SIM_CONFIG_YAML_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>

#include "simsm/error.h"

struct yaml_reader {
    yaml_parser_t parser;
    yaml_event_t event; /* the current one */
    const char *text;
    size_t size;
    const char *file; /* for messages; may be NULL */
    struct simsm_error *error;
};

/* Line and column in bytes, both from 1. */
struct yaml_place {
    uint32_t line, column;
};

/*
 * Starts reading; the current event is then the start of the top mapping. `text` and `file` must
 * outlive the reader. Call yaml_reader_close whatever it returns.
 */
enum simsm_status yaml_reader_open(struct yaml_reader *reader, const char *text, size_t size,
                                   const char *file, struct simsm_error *error);
void yaml_reader_close(struct yaml_reader *reader);

/* Goes to the next event. */
enum simsm_status yaml_reader_next(struct yaml_reader *reader);

/* After the end of the top mapping: nothing may follow. */
enum simsm_status yaml_reader_end(struct yaml_reader *reader);

/* Where the current event starts. */
struct yaml_place yaml_reader_place(const struct yaml_reader *reader);

/* The text of the current event if it is a scalar without NUL bytes, else NULL. */
const char *yaml_reader_scalar(const struct yaml_reader *reader);

/* "a list", "a plain value", ... for messages. */
const char *yaml_reader_kind(const struct yaml_reader *reader);

/* Fills the reader's error with a message at `place` and returns SIMSM_BAD_INPUT. */
enum simsm_status yaml_reader_fail(const struct yaml_reader *reader, struct yaml_place place,
                                   const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
