/* Splits the text of a trace into tokens. */
#include "trace/lexer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"

void lexer_init(struct lexer *lexer, const char *path, const char *text, size_t size,
                struct simsm_error *error)
{
    *lexer = (struct lexer){.path = path,
                            .at = text,
                            .end = text + size,
                            .line_start = text,
                            .line = 1,
                            .error = error,
                            .status = SIMSM_OK};
}

bool lexer_fail(struct lexer *lexer, const struct token *token, const char *format, ...)
{
    if (lexer->status != SIMSM_OK)
        return false;
    char message[768];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(message, sizeof message, format, list);
    va_end(list);
    lexer->status = err_at(lexer->error, SIMSM_BAD_INPUT, lexer->path, token->line, token->column,
                           "%s", message);
    return false;
}

bool lexer_no_memory(struct lexer *lexer)
{
    if (lexer->status == SIMSM_OK)
        lexer->status = err_no_memory(lexer->error);
    return false;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int hex_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static void skip_blanks(struct lexer *lexer)
{
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        bool comment = c == '#' || (c == '/' && lexer->at[1] == '/');
        if (comment) {
            while (lexer->at < lexer->end && *lexer->at != '\n')
                lexer->at++;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            lexer->at++;
        } else {
            return;
        }
    }
}

static void word(struct lexer *lexer, struct token *token)
{
    token->kind = TOKEN_WORD;
    const char *at = lexer->at;
    while (is_letter(*at) || is_digit(*at) || (*at == '.' && (is_letter(at[1]) || is_digit(at[1]))))
        at++;
    lexer->at = at;
}

/* Returns the shift of a binary multiple such as 64KiB, or -1 for an unknown suffix. */
static int unit_shift(const char *text, size_t length)
{
    static const struct {
        const char *name;
        int shift;
    } units[] = {{"K", 10}, {"KiB", 10}, {"M", 20}, {"MiB", 20}, {"G", 30}, {"GiB", 30}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strlen(units[i].name) == length && memcmp(units[i].name, text, length) == 0)
            return units[i].shift;
    }
    return -1;
}

static const char *real_end(const char *at)
{
    while (is_digit(*at))
        at++;
    if (*at == '.') {
        at++;
        while (is_digit(*at))
            at++;
    }
    if ((*at == 'e' || *at == 'E') &&
        (is_digit(at[1]) || ((at[1] == '-' || at[1] == '+') && is_digit(at[2])))) {
        at += 2;
        while (is_digit(*at))
            at++;
    }
    return at;
}

static void number(struct lexer *lexer, struct token *token)
{
    const char *at = lexer->at;
    bool hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    uint64_t value = 0;
    bool large = false;
    token->kind = TOKEN_NUMBER;
    if (hex) {
        at += 2;
        for (; hex_value(*at) >= 0; at++) {
            large |= value >> 60 != 0;
            value = value << 4 | (uint64_t)hex_value(*at);
        }
    } else {
        for (; is_digit(*at); at++) {
            large |= value > (UINT64_MAX - 9) / 10;
            value = value * 10 + (uint64_t)(*at - '0');
        }
        if (*at == '.' || *at == 'e' || *at == 'E') {
            token->kind = TOKEN_REAL;
            at = real_end(lexer->at);
        }
    }
    const char *suffix = at;
    while (is_letter(*at) || is_digit(*at))
        at++;
    int shift = 0;
    if (at != suffix || (hex && suffix == lexer->at + 2)) {
        shift = token->kind == TOKEN_NUMBER ? unit_shift(suffix, (size_t)(at - suffix)) : -1;
        if (shift < 0) {
            (void)lexer_fail(lexer, token,
                             "\"%.*s\" is not a number; decimal, 0x hexadecimal and multiples such "
                             "as 4K, 64KiB or 2M are",
                             (int)(at - lexer->at > 40 ? 40 : at - lexer->at), lexer->at);
            token->kind = TOKEN_END;
            return;
        }
    }
    if (large || value > (uint64_t)INT64_MAX >> shift) {
        (void)lexer_fail(lexer, token, "this number is above 2^63 - 1");
        token->kind = TOKEN_END;
        return;
    }
    token->number = (int64_t)(value << shift);
    lexer->at = at;
}

static void sign(struct lexer *lexer, struct token *token)
{
    static const struct {
        char text[3];
        int sign;
    } pairs[] = {{"<=", SIGN_LE},  {">=", SIGN_GE}, {"==", SIGN_EQ},  {"!=", SIGN_NE},
                 {"&&", SIGN_AND}, {"||", SIGN_OR}, {"<<", SIGN_SHL}, {">>", SIGN_SHR}};
    token->kind = TOKEN_SIGN;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (lexer->at[0] == pairs[i].text[0] && lexer->at[1] == pairs[i].text[1]) {
            token->sign = pairs[i].sign;
            lexer->at += 2;
            return;
        }
    }
    char c = *lexer->at;
    if (c != '\0' && strchr("+-*/%&|^~!<>()[]{},:;?@=", c)) {
        token->sign = (unsigned char)c;
        lexer->at++;
        return;
    }
    if (c > ' ' && c <= '~')
        (void)lexer_fail(lexer, token, "\"%c\" has no meaning in a trace", c);
    else
        (void)lexer_fail(lexer, token,
                         "byte 0x%02x is not text; a trace is written in ASCII outside comments",
                         (unsigned)(unsigned char)c);
    token->kind = TOKEN_END;
}

struct token lexer_next(struct lexer *lexer)
{
    if (lexer->status == SIMSM_OK)
        skip_blanks(lexer);
    struct token token = {.kind = TOKEN_END,
                          .line = lexer->line,
                          .column = (uint32_t)(lexer->at - lexer->line_start) + 1,
                          .text = lexer->at};
    if (lexer->status != SIMSM_OK || lexer->at == lexer->end)
        return token;
    char c = *lexer->at;
    if (c == '\n') {
        token.kind = TOKEN_NEWLINE;
        lexer->at++;
        lexer->line++;
        lexer->line_start = lexer->at;
    } else if (is_letter(c)) {
        word(lexer, &token);
    } else if (is_digit(c)) {
        number(lexer, &token);
    } else {
        sign(lexer, &token);
    }
    token.length = (uint32_t)(lexer->at - token.text);
    return token;
}

char *token_show(const struct token *token, char *text, size_t size)
{
    if (token->kind == TOKEN_END)
        (void)snprintf(text, size, "the end of the file");
    else if (token->kind == TOKEN_NEWLINE)
        (void)snprintf(text, size, "the end of the line");
    else
        (void)snprintf(text, size, "\"%.*s%s\"", token->length > 40 ? 40 : (int)token->length,
                       token->text, token->length > 40 ? "..." : "");
    return text;
}

bool token_is(const struct token *token, const char *name)
{
    return token->kind == TOKEN_WORD && strlen(name) == token->length &&
           memcmp(name, token->text, token->length) == 0;
}

bool token_is_sign(const struct token *token, int wanted)
{
    return token->kind == TOKEN_SIGN && token->sign == wanted;
}
