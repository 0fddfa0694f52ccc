/* From the text of a trace to tokens. Line ends are tokens; comments (# or //) and blanks are not.
 */
#ifndef SIM_TRACE_LEXER_H
#define SIM_TRACE_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/error.h"

enum token_kind {
    TOKEN_END, /* of the file, or after an error */
    TOKEN_NEWLINE,
    TOKEN_NUMBER, /* integer; `number` has it */
    TOKEN_REAL,   /* such as 1.5: only ever an immediate, its value does not matter */
    TOKEN_WORD,   /* name, mnemonic or register, with its dotted suffixes */
    TOKEN_SIGN    /* punctuation; `sign` has it */
};

/* Signs of two characters; those of one stand for themselves. */
enum token_sign { SIGN_LE = 256, SIGN_GE, SIGN_EQ, SIGN_NE, SIGN_AND, SIGN_OR, SIGN_SHL, SIGN_SHR };

struct token {
    enum token_kind kind;
    uint32_t line, column; /* from 1 */
    const char *text;      /* in the file; not terminated */
    uint32_t length;
    int64_t number;
    int sign;
};

struct lexer {
    const char *path;
    const char *at, *end, *line_start;
    uint32_t line;
    struct simsm_error *error; /* NULL is allowed */
    enum simsm_status status;  /* of the first error; SIMSM_OK while there is none */
};

/* `text` has `size` bytes and a terminator and must outlive the lexer. */
void lexer_init(struct lexer *lexer, const char *path, const char *text, size_t size,
                struct simsm_error *error);

/* The next token. After an error every token is TOKEN_END. */
struct token lexer_next(struct lexer *lexer);

/*
 * Reports an error at `token`, unless there was one before. Always returns false, so that parsing
 * functions can end with it.
 */
bool lexer_fail(struct lexer *lexer, const struct token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As lexer_fail, for memory that ran out. */
bool lexer_no_memory(struct lexer *lexer);

/* The token as messages show it: cut to what is readable. Returns `text`. */
char *token_show(const struct token *token, char *text, size_t size);

bool token_is(const struct token *token, const char *word);
bool token_is_sign(const struct token *token, int sign);

#endif
