/* Reads the header of a trace: launch, names, buffers. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "trace/parser.h"

enum { GLOBAL_BASE = 0x10000000, SMALL_ALIGN = 256, LARGE_ALIGN = 2 << 20 };
enum { MAX_SHARED = 1 << 20, MAX_LOCAL = 512 << 10 };

enum header_keyword {
    KERNEL,
    GRID,
    BLOCK,
    REGISTERS,
    SHARED,
    DYNAMIC,
    LOCAL,
    CARVEOUT,
    PARAM,
    LET,
    BUFFER,
    KEY_COUNT
};

static const char *const keys[KEY_COUNT] = {
    [KERNEL] = "kernel",       [GRID] = "grid",         [BLOCK] = "block",     [PARAM] = "param",
    [REGISTERS] = "registers", [SHARED] = "shared",     [DYNAMIC] = "dynamic", [LET] = "let",
    [LOCAL] = "local",         [CARVEOUT] = "carveout", [BUFFER] = "buffer",
};

static enum header_keyword key_of(const struct token *token)
{
    int key = 0;
    while (key < KEY_COUNT && !token_is(token, keys[key]))
        key++;
    return (enum header_keyword)key;
}

bool header_key(const struct token *token)
{
    return key_of(token) != KEY_COUNT;
}

static bool kernel(struct parser *parser)
{
    char found[64];
    struct simsm_launch *launch = &parser->program->front.launch;
    if (parser->token.kind != TOKEN_WORD)
        return parser_fail(parser, "expected the name of the kernel, found %s",
                           token_show(&parser->token, found, sizeof found));
    if (parser->token.length >= sizeof launch->name)
        return parser_fail(parser, "the name of a kernel has at most %zu letters",
                           sizeof launch->name - 1);
    (void)snprintf(launch->name, sizeof launch->name, "%.*s", (int)parser->token.length,
                   parser->token.text);
    parser_next(parser);
    return true;
}

/* Reads one to three extents; missing extents are 1. */
static bool extents(struct parser *parser, const char *const what[3], const int64_t limit[3],
                    uint32_t extent[3])
{
    for (int i = 0; i < 3; i++)
        extent[i] = 1;
    for (int i = 0; i < 3; i++) {
        int64_t value;
        if (!expression_constant(parser, what[i], 1, limit[i], &value))
            return false;
        extent[i] = (uint32_t)value;
        if (!parser_accept(parser, ','))
            return true;
        if (i == 2)
            return parser_fail(parser, "there are at most three extents: x, y, z");
    }
    return true;
}

static bool grid(struct parser *parser)
{
    static const char *const what[] = {"the grid's extent in x (blocks)",
                                       "the grid's extent in y (blocks)",
                                       "the grid's extent in z (blocks)"};
    static const int64_t limit[] = {INT32_MAX, 65535, 65535};
    return extents(parser, what, limit, parser->program->front.launch.grid);
}

static bool block(struct parser *parser)
{
    static const char *const what[] = {"the block's extent in x (threads)",
                                       "the block's extent in y (threads)",
                                       "the block's extent in z (threads)"};
    static const int64_t limit[] = {1024, 1024, 64};
    struct token start = parser->token;
    struct simsm_launch *launch = &parser->program->front.launch;
    if (!extents(parser, what, limit, launch->block))
        return false;
    uint32_t threads = simsm_block_threads(launch);
    if (threads > 1024)
        return lexer_fail(&parser->lexer, &start,
                          "a block has at most 1024 threads; %u x %u x %u are %u", launch->block[0],
                          launch->block[1], launch->block[2], threads);
    return true;
}

static bool count(struct parser *parser, const char *what, int64_t low, int64_t high,
                  uint32_t *value)
{
    int64_t number;
    if (!expression_constant(parser, what, low, high, &number))
        return false;
    *value = (uint32_t)number;
    return true;
}

/* Reads the carve-out: bytes, or a share such as 50% of the SM's shared memory. */
static bool carveout(struct parser *parser)
{
    struct simsm_launch *launch = &parser->program->front.launch;
    struct lexer ahead = parser->lexer;
    ahead.error = NULL;
    struct token after = lexer_next(&ahead), end = lexer_next(&ahead);
    bool percent = parser->token.kind == TOKEN_NUMBER && token_is_sign(&after, '%') &&
                   (end.kind == TOKEN_NEWLINE || end.kind == TOKEN_END);
    if (!percent)
        return count(parser, "the carve-out in bytes", 0, MAX_SHARED, &launch->carveout);
    int64_t share = parser->token.number;
    if (share > 100)
        return parser_fail(parser, "a carve-out is 0%% to 100%%; this is %lld%%", (long long)share);
    if (parser->config)
        launch->carveout =
            (uint32_t)((uint64_t)parser->config->sm_shared_bytes * (uint64_t)share / 100);
    parser_next(parser);
    parser_next(parser);
    return true;
}

static bool add_name(struct parser *parser, const char *name, uint32_t node)
{
    if (parser->name_count == PARSER_MAX_NAMES)
        return parser_fail(parser, "a trace has at most %d names", PARSER_MAX_NAMES);
    struct parser_name *entry = &parser->names[parser->name_count++];
    (void)snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->node = node;
    return true;
}

/*
 * Looks up the value that the caller gives to param `name`. Returns 1 if there is one, 0 if not, -1
 * after an error.
 */
static int overridden(struct parser *parser, const char *name, int64_t *value)
{
    size_t length = strlen(name);
    int found = 0;
    for (size_t i = 0; parser->params && parser->params[i]; i++) {
        const char *text = parser->params[i];
        if (strncmp(text, name, length) != 0 || text[length] != '=')
            continue;
        struct lexer lexer;
        text += length + 1;
        lexer_init(&lexer, parser->lexer.path, text, strlen(text), NULL);
        struct token token = lexer_next(&lexer);
        bool negative = token_is_sign(&token, '-');
        if (negative)
            token = lexer_next(&lexer);
        struct token end = lexer_next(&lexer);
        if (token.kind != TOKEN_NUMBER || end.kind != TOKEN_END || lexer.status != SIMSM_OK) {
            parser->lexer.status = err_set(
                parser->lexer.error, SIMSM_BAD_INPUT,
                "param %s: \"%.100s\" is not an integer such as 16, 0x10 or 64K", name, text);
            return -1;
        }
        *value = negative ? -token.number : token.number;
        found = 1;
    }
    return found;
}

static bool param(struct parser *parser)
{
    char name[32];
    int64_t value;
    uint32_t node;
    if (!parser_new_name(parser, "a param", name) ||
        !parser_expect(parser, '=', "after the name of a param") ||
        !expression_constant(parser, "a param", INT64_MIN, INT64_MAX, &value))
        return false;
    if (overridden(parser, name, &value) < 0)
        return false;
    if (!expression_number(parser, value, &node) || !add_name(parser, name, node))
        return false;
    parser->names[parser->name_count - 1].is_param = true;
    return true;
}

static bool let(struct parser *parser)
{
    char name[32];
    uint32_t node;
    if (!parser_new_name(parser, "a let", name) ||
        !parser_expect(parser, '=', "after the name of a let"))
        return false;
    parser->in_let = true;
    bool good = expression_parse(parser, &node);
    parser->in_let = false;
    return good && add_name(parser, name, node);
}

/* Reads a buffer line. Buffers lie one after another, aligned as by an allocator. */
static bool buffer(struct parser *parser)
{
    struct front_buffer buffer = {0};
    int64_t bytes;
    uint32_t node;
    if (!parser_new_name(parser, "a buffer", buffer.name) ||
        !parser_expect(parser, '=', "after the name of a buffer") ||
        !expression_constant(parser, "the bytes of a buffer", 1, INT64_C(1) << 46, &bytes))
        return false;
    uint64_t align = bytes >= LARGE_ALIGN ? LARGE_ALIGN : SMALL_ALIGN;
    buffer.base = (parser->buffer_end + align - 1) / align * align;
    buffer.bytes = (uint64_t)bytes;
    parser->buffer_end = buffer.base + buffer.bytes;
    if (!pool_add(&parser->program->buffers, &buffer))
        return lexer_no_memory(&parser->lexer);
    return expression_number(parser, (int64_t)buffer.base, &node) &&
           add_name(parser, buffer.name, node);
}

static bool value_of(struct parser *parser, enum header_keyword key)
{
    struct simsm_launch *launch = &parser->program->front.launch;
    switch (key) {
    case KERNEL:
        return kernel(parser);
    case GRID:
        return grid(parser);
    case BLOCK:
        return block(parser);
    case REGISTERS:
        return count(parser, "the registers of a thread", 1, 255, &launch->registers);
    case SHARED:
        return count(parser, "static shared memory (bytes)", 0, MAX_SHARED, &launch->shared_static);
    case DYNAMIC:
        return count(parser, "dynamic shared memory (bytes)", 0, MAX_SHARED,
                     &launch->shared_dynamic);
    case LOCAL:
        return count(parser, "the local memory of a thread (bytes)", 0, MAX_LOCAL,
                     &parser->program->local_bytes);
    case CARVEOUT:
        return carveout(parser);
    case PARAM:
        return param(parser);
    case LET:
        return let(parser);
    case BUFFER:
        return buffer(parser);
    case KEY_COUNT:
        break;
    }
    return false;
}

static bool line(struct parser *parser, enum header_keyword key)
{
    char found[64];
    if (key < PARAM && (parser->given >> key & 1u))
        return parser_fail(parser, "%s is given twice", keys[key]);
    parser->given |= 1u << key;
    parser_next(parser);
    if (!value_of(parser, key))
        return false;
    parser->launched = (parser->given >> GRID & 1u) && (parser->given >> BLOCK & 1u);
    if (parser->token.kind == TOKEN_NEWLINE || parser->token.kind == TOKEN_END)
        return true;
    return parser_fail(parser, "expected the end of the line after %s, found %s", keys[key],
                       token_show(&parser->token, found, sizeof found));
}

static bool complete(struct parser *parser)
{
    static const enum header_keyword required[] = {KERNEL, GRID, BLOCK, REGISTERS};
    static const char *const examples[] = {"kernel saxpy", "grid 320", "block 128", "registers 24"};
    for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
        if (!(parser->given >> required[i] & 1u))
            return parser_fail(parser, "the header lacks \"%s\", as in: %s", keys[required[i]],
                               examples[i]);
    }
    uint64_t shared = (uint64_t)parser->program->front.launch.shared_static +
                      parser->program->front.launch.shared_dynamic;
    if (shared > MAX_SHARED)
        return parser_fail(parser, "static and dynamic shared memory are together at most %d bytes",
                           MAX_SHARED);
    return true;
}

/* Fails. `--launch FILE` reaches a front as the param "launch". */
static bool no_such_param(struct parser *parser, const char *name, size_t length)
{
    char known[300] = "";
    if (length == strlen("launch") && memcmp(name, "launch", length) == 0) {
        parser->lexer.status =
            err_at(parser->lexer.error, SIMSM_BAD_INPUT, parser->lexer.path, 0, 0,
                   "is a text trace, which describes its own launch; --launch is for machine code");
        return false;
    }
    size_t used = 0;
    for (unsigned n = 0; n < parser->name_count && used < sizeof known; n++) {
        if (parser->names[n].is_param)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                     parser->names[n].name);
    }
    if (used >= sizeof known)
        memcpy(known + sizeof known - 4, "...", 4);
    parser->lexer.status = err_at(parser->lexer.error, SIMSM_BAD_INPUT, parser->lexer.path, 0, 0,
                                  "has no param \"%.*s\"; %s%s", (int)(length > 40 ? 40 : length),
                                  name, used ? "it has " : "it has none at all", known);
    return false;
}

/* Refuses values for params that the trace does not have. */
static bool params_exist(struct parser *parser)
{
    for (size_t i = 0; parser->params && parser->params[i]; i++) {
        const char *equals = strchr(parser->params[i], '=');
        size_t length = equals ? (size_t)(equals - parser->params[i]) : 0;
        bool found = false;
        for (unsigned n = 0; n < parser->name_count; n++)
            found |= parser->names[n].is_param && strlen(parser->names[n].name) == length &&
                     memcmp(parser->names[n].name, parser->params[i], length) == 0;
        if (found)
            continue;
        if (equals)
            return no_such_param(parser, parser->params[i], length);
        parser->lexer.status =
            err_set(parser->lexer.error, SIMSM_BAD_INPUT,
                    "a param is given as NAME=VALUE; found \"%.100s\"", parser->params[i]);
        return false;
    }
    return true;
}

bool header_parse(struct parser *parser)
{
    parser->buffer_end = GLOBAL_BASE;
    for (;;) {
        while (parser->token.kind == TOKEN_NEWLINE)
            parser_next(parser);
        enum header_keyword key = key_of(&parser->token);
        if (key == KEY_COUNT)
            break;
        if (!line(parser, key))
            return false;
    }
    if (parser->lexer.status != SIMSM_OK || !complete(parser) || !params_exist(parser))
        return false;
    parser->program->local_base =
        (parser->buffer_end + LARGE_ALIGN - 1) / LARGE_ALIGN * LARGE_ALIGN;
    return true;
}
