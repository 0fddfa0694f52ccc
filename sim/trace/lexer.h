/*
 * Splits the text of a trace into tokens. Ends of lines are tokens; comments (# or //) and blanks
 * are not.
 */
#ifndef SIM_TRACE_LEXER_H
#define SIM_TRACE_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/error.h"

enum token_kind {
    TOKEN_END, /* end of the file, or after an error */
    TOKEN_NEWLINE,
    TOKEN_NUMBER, /* integer in `number` */
    TOKEN_REAL,   /* such as 1.5: only allowed as an immediate, its value is not used */
    TOKEN_WORD,   /* name, mnemonic or register, with its dotted suffixes */
    TOKEN_SIGN    /* punctuation in `sign` */
};

/* Signs of two characters. A sign of one character is its character code. */
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
    enum simsm_status status;  /* status of the first error, else SIMSM_OK */
};

/*
 * Starts at the start of `text`, which has `size` bytes and a terminator and must outlive the
 * lexer.
 */
void lexer_init(struct lexer *lexer, const char *path, const char *text, size_t size,
                struct simsm_error *error);

/* Returns the next token. After an error every token is TOKEN_END. */
struct token lexer_next(struct lexer *lexer);

/*
 * Reports an error at `token`, unless an error was reported already. Always returns false, so that
 * parsing functions can return its result.
 */
bool lexer_fail(struct lexer *lexer, const struct token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As lexer_fail(), for memory that ran out. */
bool lexer_no_memory(struct lexer *lexer);

/* Writes the token for a message, cut to a readable length. Returns `text`. */
char *token_show(const struct token *token, char *text, size_t size);

bool token_is(const struct token *token, const char *word);
bool token_is_sign(const struct token *token, int sign);

#endif
