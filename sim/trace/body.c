/* Reads the statements of a trace: instructions, and the structures around them. */
#include <string.h>

#include "base/check.h"
#include "trace/address_set.h"
#include "trace/emit.h"

static bool statements(struct parser *parser, bool top);

static uint32_t here(const struct parser *parser)
{
    return (uint32_t)parser->program->steps.count;
}

static struct step *step_at(struct parser *parser, uint32_t at)
{
    return (struct step *)parser->program->steps.data + at;
}

/* Reads "{", statements, "}". */
static bool braces(struct parser *parser)
{
    char found[64];
    if (!token_is_sign(&parser->token, '{'))
        return parser_fail(parser, "expected \"{\", found %s",
                           token_show(&parser->token, found, sizeof found));
    if (parser->nesting == PROGRAM_MAX_NESTING)
        return parser_fail(parser, "braces are nested more than %d deep", PROGRAM_MAX_NESTING);
    struct token open = parser->token;
    parser->nesting++;
    parser_next(parser);
    if (!statements(parser, false))
        return false;
    parser->nesting--;
    if (parser->token.kind == TOKEN_END && parser->lexer.status == SIMSM_OK)
        return lexer_fail(&parser->lexer, &open, "this \"{\" has no \"}\"");
    return parser_expect(parser, '}', "at the end of a block");
}

/* Reads "else" if it follows, after the "}" or on a line of its own. */
static bool accept_else(struct parser *parser)
{
    struct lexer ahead = parser->lexer;
    struct token token = parser->token;
    ahead.error = NULL;
    while (token.kind == TOKEN_NEWLINE)
        token = lexer_next(&ahead);
    if (!token_is(&token, "else"))
        return false;
    while (!token_is(&parser->token, "else"))
        parser_next(parser);
    parser_next(parser);
    return true;
}

static bool statement(struct parser *parser);

/* Reads what follows "else": a block, or another structure in its place. */
static bool else_block(struct parser *parser)
{
    static const char *const structures[] = {"if", "lanes", "warps", "blocks"};
    for (size_t i = 0; i < sizeof structures / sizeof *structures; i++) {
        if (!token_is(&parser->token, structures[i]))
            continue;
        if (parser->nesting == PROGRAM_MAX_NESTING)
            return parser_fail(parser, "structures are nested more than %d deep",
                               PROGRAM_MAX_NESTING);
        parser->nesting++;
        bool good = statement(parser);
        parser->nesting--;
        return good;
    }
    return braces(parser);
}

static bool open_barrier(struct parser *parser, const struct token *at, uint32_t *enter)
{
    if (parser->barrier_count == DIVERGENCE_BARRIERS)
        return lexer_fail(&parser->lexer, at,
                          "branches are nested more than %d deep: a warp has barriers B0 to B%d",
                          DIVERGENCE_BARRIERS, DIVERGENCE_BARRIERS - 1);
    *enter = here(parser);
    uint8_t slot = (uint8_t)parser->barrier_count++;
    return program_add_control(parser, (struct step){.kind = STEP_ENTER, .slot = slot}, NULL,
                               at->line, NULL, 0);
}

static bool close_barrier(struct parser *parser, uint32_t enter)
{
    SIMSM_CHECK(parser->barrier_count > 0, "line %u", parser->token.line);
    uint8_t slot = (uint8_t)--parser->barrier_count;
    bool good = program_add_control(parser, (struct step){.kind = STEP_SYNC, .slot = slot}, NULL,
                                    parser->token.line, NULL, 0);
    step_at(parser, enter)->target = here(parser);
    return good;
}

/*
 * The condition of a generated branch as its listing shows it: the guard register, or the
 * condition's text.
 */
struct branch_label {
    const char *text;
    size_t length;
};

static struct branch_label label_of(const struct guard *guard, const char *begin, const char *end)
{
    if (!guard->none)
        return (struct branch_label){
            guard->first.text, (size_t)(guard->last.text + guard->last.length - guard->first.text)};
    return (struct branch_label){begin, (size_t)(end - begin)};
}

/* lanes [@P] SET {} else {}, if [@P] (CONDITION) {} else {} */
static bool branch(struct parser *parser)
{
    struct token at = parser->token;
    struct guard guard;
    bool is_if = token_is(&at, "if"), varying;
    uint32_t condition, enter = 0;
    parser_next(parser);
    if (!guard_parse(parser, &guard))
        return false;
    if (is_if && !token_is_sign(&parser->token, '('))
        return parser_expect(parser, '(', "after if");
    const char *begin = is_if ? parser->token.text : at.text;
    if (!set_parse(parser, SET_LANES, &condition, &varying))
        return false;
    struct branch_label label = label_of(&guard, begin, parser->last_end);
    if (varying && !open_barrier(parser, &at, &enter))
        return false;
    uint32_t split = here(parser), over = 0;
    if (!program_add_control(parser, (struct step){.kind = STEP_IF, .condition = condition}, &guard,
                             at.line, label.text, label.length) ||
        !braces(parser))
        return false;
    bool has_else = accept_else(parser);
    if (has_else) {
        over = here(parser);
        if (!program_add_control(parser, (struct step){.kind = STEP_OVER}, NULL, parser->token.line,
                                 NULL, 0))
            return false;
    }
    step_at(parser, split)->target = here(parser);
    if (has_else) {
        if (!else_block(parser))
            return false;
        step_at(parser, over)->target = here(parser);
    }
    return !varying || close_barrier(parser, enter);
}

/* warps SET {} else {}, blocks SET {} else {} */
static bool choice(struct parser *parser)
{
    bool warps = token_is(&parser->token, "warps"), varying;
    uint32_t condition, select = here(parser);
    parser_next(parser);
    if (!set_parse(parser, warps ? SET_WARPS : SET_BLOCKS, &condition, &varying) ||
        !program_add_choice(parser, (struct step){.kind = STEP_SELECT, .condition = condition}) ||
        !braces(parser))
        return false;
    uint32_t jump = here(parser);
    bool has_else = accept_else(parser);
    if (has_else && !program_add_choice(parser, (struct step){.kind = STEP_JUMP}))
        return false;
    step_at(parser, select)->target = here(parser);
    if (!has_else)
        return true;
    bool good = else_block(parser);
    step_at(parser, jump)->target = here(parser);
    return good;
}

/*
 * Compiles the trip count and adds it to the program. *index: its index; loop->radix: its upper
 * bound, at least 1.
 */
static bool trips(struct parser *parser, uint32_t root, const struct token *at, uint32_t *index,
                  struct parser_loop *loop)
{
    const struct node *node = node_at(&parser->nodes, root);
    struct formula formula;
    if (node->low > (int64_t)UINT32_MAX)
        return lexer_fail(&parser->lexer, at, "a loop makes at most 2^32 - 1 trips");
    loop->radix = node->high < 1                     ? 1
                  : node->high > (int64_t)UINT32_MAX ? UINT32_MAX
                                                     : (uint64_t)node->high;
    *index = (uint32_t)parser->program->trips.count;
    if (!formula_compile(&formula, &parser->program->formulas, &parser->nodes, root) ||
        !pool_add(&parser->program->trips, &formula))
        return lexer_no_memory(&parser->lexer);
    return true;
}

static bool counter_name(struct parser *parser, struct parser_loop *loop)
{
    loop->name[0] = '\0';
    if (!token_is(&parser->token, "as"))
        return true;
    parser_next(parser);
    return parser_new_name(parser, "a loop counter", loop->name);
}

static bool room_for_loop(struct parser *parser, const struct token *at)
{
    if (parser->loop_count < FORMULA_LOOPS)
        return true;
    return lexer_fail(&parser->lexer, at, "loops are nested more than %d deep", FORMULA_LOOPS);
}

static bool body_of_loop(struct parser *parser, const struct parser_loop *loop)
{
    parser->loops[parser->loop_count++] = *loop;
    bool good = braces(parser);
    parser->loop_count--;
    return good;
}

/* repeat COUNT [as NAME] {} */
static bool repeat(struct parser *parser)
{
    struct token at = parser->token;
    struct parser_loop loop;
    uint32_t root, index = 0;
    parser_next(parser);
    if (!room_for_loop(parser, &at) || !expression_of_warp(parser, "the count of repeat", &root) ||
        !trips(parser, root, &at, &index, &loop) || !counter_name(parser, &loop))
        return false;
    struct step step = {
        .kind = STEP_REPEAT_BEGIN, .slot = (uint8_t)parser->loop_count, .condition = index};
    uint32_t begin = here(parser);
    if (!program_add_choice(parser, step) || !body_of_loop(parser, &loop))
        return false;
    step.kind = STEP_REPEAT_END;
    step.target = begin + 1;
    bool good = program_add_choice(parser, step);
    step_at(parser, begin)->target = here(parser);
    return good;
}

/* loop [@P] TRIPS [as NAME] {}: a loop of the machine code, with a branch at its end */
static bool loop_statement(struct parser *parser)
{
    struct token at = parser->token;
    struct guard guard;
    struct parser_loop loop;
    uint32_t root, index = 0, enter = 0, skip = 0;
    parser_next(parser);
    if (!room_for_loop(parser, &at) || !guard_parse(parser, &guard) ||
        !expression_parse(parser, &root))
        return false;
    struct branch_label label = label_of(&guard, at.text, parser->last_end);
    bool varying = node_at(&parser->nodes, root)->varying;
    bool may_be_zero = node_at(&parser->nodes, root)->low < 1;
    if (!trips(parser, root, &at, &index, &loop) || !counter_name(parser, &loop) ||
        (varying && !open_barrier(parser, &at, &enter)))
        return false;
    struct step step = {
        .kind = STEP_LOOP_BEGIN, .slot = (uint8_t)parser->loop_count, .condition = index};
    if (!program_add_choice(parser, step))
        return false;
    if (may_be_zero) {
        skip = here(parser);
        step.kind = STEP_LOOP_GUARD;
        if (!program_add_control(parser, step, &guard, at.line, label.text, label.length))
            return false;
    }
    step.kind = STEP_LOOP_BACK;
    step.target = here(parser);
    if (!body_of_loop(parser, &loop) ||
        !program_add_control(parser, step, &guard, at.line, label.text, label.length))
        return false;
    if (may_be_zero)
        step_at(parser, skip)->target = here(parser);
    return !varying || close_barrier(parser, enter);
}

static bool statement(struct parser *parser)
{
    static const struct {
        const char *word;
        bool (*parse)(struct parser *parser);
    } structures[] = {{"lanes", branch},  {"if", branch},     {"warps", choice},
                      {"blocks", choice}, {"repeat", repeat}, {"loop", loop_statement}};
    parser->nodes.count = parser->node_mark;
    for (size_t i = 0; i < sizeof structures / sizeof *structures; i++) {
        if (token_is(&parser->token, structures[i].word))
            return structures[i].parse(parser);
    }
    if (header_key(&parser->token))
        return parser_fail(parser, "\"%.*s\" belongs to the header, before the first instruction",
                           (int)parser->token.length, parser->token.text);
    if (token_is(&parser->token, "else"))
        return parser_fail(parser, "this \"else\" belongs to no block before it");
    return instruction_parse(parser);
}

static bool statements(struct parser *parser, bool top)
{
    char found[64];
    for (;;) {
        while (parser->token.kind == TOKEN_NEWLINE)
            parser_next(parser);
        if (parser->token.kind == TOKEN_END)
            return parser->lexer.status == SIMSM_OK;
        if (token_is_sign(&parser->token, '}'))
            return !top || parser_fail(parser, "this \"}\" has no \"{\"");
        if (!statement(parser))
            return false;
        bool ended = parser->token.kind == TOKEN_NEWLINE || parser->token.kind == TOKEN_END ||
                     token_is_sign(&parser->token, '}');
        if (!ended)
            return parser_fail(parser, "expected the end of the line, found %s",
                               token_show(&parser->token, found, sizeof found));
    }
}

bool body_parse(struct parser *parser)
{
    parser->node_mark = parser->nodes.count;
    uint32_t always;
    if (!condition_add_mask(parser, UINT32_MAX, false, &always) || !statements(parser, true))
        return false;
    if (parser->program->code.count == 0)
        return parser_fail(parser, "this kernel has no instructions");
    return program_add_control(parser, (struct step){.kind = STEP_EXIT}, NULL, 0, NULL, 0) &&
           program_finish(parser);
}
