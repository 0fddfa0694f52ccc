#include "config/yaml_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"

enum simsm_status yaml_reader_fail(const struct yaml_reader *reader, struct yaml_place place,
                                   const char *format, ...)
{
    char message[sizeof reader->error->message];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return err_at(reader->error, SIMSM_BAD_INPUT, reader->file, place.line, place.column, "%s",
                  message);
}

/* libyaml counts columns in characters and from 0, we in bytes and from 1. */
static struct yaml_place place_of(const struct yaml_reader *reader, yaml_mark_t mark)
{
    const char *at = reader->text, *end = reader->text + reader->size;
    for (size_t line = 0; line < mark.line; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline) /* other line ends than ours: trust libyaml */
            return (struct yaml_place){(uint32_t)mark.line + 1, (uint32_t)mark.column + 1};
        at = newline + 1;
    }
    const char *start = at;
    for (size_t column = 0; column < mark.column && at < end; column++) {
        at++;
        while (at < end && ((unsigned char)*at & 0xc0) == 0x80)
            at++;
    }
    return (struct yaml_place){(uint32_t)mark.line + 1, (uint32_t)(at - start) + 1};
}

static struct yaml_place place_of_byte(const struct yaml_reader *reader, size_t offset)
{
    struct yaml_place place = {1, 1};
    for (size_t i = 0; i < offset && i < reader->size; i++) {
        place.column++;
        if (reader->text[i] == '\n')
            place = (struct yaml_place){place.line + 1, 1};
    }
    return place;
}

struct yaml_place yaml_reader_place(const struct yaml_reader *reader)
{
    return place_of(reader, reader->event.start_mark);
}

static enum simsm_status refuse_binary(const struct yaml_reader *reader)
{
    for (size_t i = 0; i < reader->size; i++) {
        unsigned char c = (unsigned char)reader->text[i];
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
            return yaml_reader_fail(reader, place_of_byte(reader, i),
                                    "byte 0x%02x is not text; a YAML file is expected", c);
    }
    return SIMSM_OK;
}

static enum simsm_status parser_error(const struct yaml_reader *reader)
{
    const yaml_parser_t *p = &reader->parser;
    switch (p->error) {
    case YAML_MEMORY_ERROR:
        return err_no_memory(reader->error);
    case YAML_READER_ERROR:
        return yaml_reader_fail(reader, place_of_byte(reader, p->problem_offset),
                                "this is not UTF-8 text: %s", p->problem);
    default:
        return yaml_reader_fail(reader, place_of(reader, p->problem_mark),
                                "this is not valid YAML: %s%s%s",
                                p->problem ? p->problem : "syntax error", p->context ? ", " : "",
                                p->context ? p->context : "");
    }
}

static enum simsm_status refuse_extras(const struct yaml_reader *reader)
{
    const yaml_event_t *e = &reader->event;
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (e->type == YAML_SCALAR_EVENT) {
        anchor = e->data.scalar.anchor;
        tag = e->data.scalar.tag;
    } else if (e->type == YAML_SEQUENCE_START_EVENT) {
        anchor = e->data.sequence_start.anchor;
        tag = e->data.sequence_start.tag;
    } else if (e->type == YAML_MAPPING_START_EVENT) {
        anchor = e->data.mapping_start.anchor;
        tag = e->data.mapping_start.tag;
    }
    if (anchor || e->type == YAML_ALIAS_EVENT)
        return yaml_reader_fail(reader, yaml_reader_place(reader),
                                "anchors and aliases (& and *) are not allowed; write the value "
                                "out, or build on a file with `base:`");
    if (tag)
        return yaml_reader_fail(reader, yaml_reader_place(reader),
                                "tags (!) are not allowed; write the value alone");
    return SIMSM_OK;
}

enum simsm_status yaml_reader_next(struct yaml_reader *reader)
{
    yaml_event_delete(&reader->event);
    if (!yaml_parser_parse(&reader->parser, &reader->event)) {
        memset(&reader->event, 0, sizeof reader->event);
        return parser_error(reader);
    }
    return refuse_extras(reader);
}

enum simsm_status yaml_reader_open(struct yaml_reader *reader, const char *text, size_t size,
                                   const char *file, struct simsm_error *error)
{
    *reader = (struct yaml_reader){.text = text, .size = size, .file = file, .error = error};
    enum simsm_status status = refuse_binary(reader);
    if (status != SIMSM_OK)
        return status;
    if (!yaml_parser_initialize(&reader->parser))
        return err_no_memory(error);
    yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader->parser, (const unsigned char *)text, size);
    status = yaml_reader_next(reader); /* start of the stream */
    if (status == SIMSM_OK)
        status = yaml_reader_next(reader);
    if (status == SIMSM_OK && reader->event.type == YAML_STREAM_END_EVENT)
        return yaml_reader_fail(reader, (struct yaml_place){0, 0},
                                "is empty; a configuration has sections such as `sm:` with keys "
                                "and values");
    if (status == SIMSM_OK)
        status = yaml_reader_next(reader);
    if (status == SIMSM_OK && reader->event.type != YAML_MAPPING_START_EVENT)
        return yaml_reader_fail(reader, yaml_reader_place(reader),
                                "sections such as `sm:` with keys and values are expected, found "
                                "%s; this is no configuration",
                                yaml_reader_kind(reader));
    return status;
}

void yaml_reader_close(struct yaml_reader *reader)
{
    yaml_event_delete(&reader->event);
    yaml_parser_delete(&reader->parser);
}

enum simsm_status yaml_reader_end(struct yaml_reader *reader)
{
    enum simsm_status status = yaml_reader_next(reader); /* end of the document */
    if (status == SIMSM_OK)
        status = yaml_reader_next(reader);
    if (status == SIMSM_OK && reader->event.type != YAML_STREAM_END_EVENT)
        return yaml_reader_fail(reader, yaml_reader_place(reader),
                                "a second document begins here; one is expected");
    return status;
}

const char *yaml_reader_scalar(const struct yaml_reader *reader)
{
    const yaml_event_t *e = &reader->event;
    if (e->type != YAML_SCALAR_EVENT)
        return NULL;
    const char *text = (const char *)e->data.scalar.value;
    return strlen(text) == e->data.scalar.length ? text : NULL;
}

const char *yaml_reader_kind(const struct yaml_reader *reader)
{
    switch (reader->event.type) {
    case YAML_SEQUENCE_START_EVENT:
        return "a list";
    case YAML_MAPPING_START_EVENT:
        return "keys and values";
    case YAML_SCALAR_EVENT:
        if (!yaml_reader_scalar(reader))
            return "a text with NUL bytes";
        return reader->event.data.scalar.length ? "a single value" : "nothing";
    default:
        return "something else";
    }
}
