/* Titles of kernels: demangled names without return type, parameters and namespaces. */
#include "cuda/kernel_title.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/*
 * Returns the index of the opening bracket that belongs to the closing bracket text[at]; 0 if there
 * is none.
 */
static size_t opening_bracket(const char *text, size_t at)
{
    size_t depth = 1;
    while (depth && at > 0) {
        at--;
        depth += text[at] == ')' || text[at] == '>';
        depth -= text[at] == '(' || text[at] == '<';
    }
    return at;
}

void kernel_title_from_demangled(char *demangled)
{
    size_t length = strlen(demangled), skip = 0, depth = 0;
    if (length && demangled[length - 1] == ')')
        length = opening_bracket(demangled, length - 1);
    for (size_t at = 0; at < length; at++) { /* what the kernel returns ends at the last blank */
        depth += demangled[at] == '(' || demangled[at] == '<';
        depth -= depth && (demangled[at] == ')' || demangled[at] == '>');
        skip = demangled[at] == ' ' && !depth ? at + 1 : skip;
    }
    length = length > skip ? length - skip : 0;
    memmove(demangled, demangled + skip, length);
    demangled[length] = '\0';
}

/*
 * Returns where the scope name that ends before text[end] begins. Scope names are such as
 * "scan<int>" and "(anonymous)".
 */
static size_t scope_begin(const char *text, size_t end)
{
    size_t at = end;
    if (at && (text[at - 1] == '>' || text[at - 1] == ')'))
        at = opening_bracket(text, at - 1);
    while (at && is_of_word(text[at - 1]))
        at--;
    return at;
}

/* Returns the index behind the closing bracket that belongs to the opening one, *at. */
static const char *behind_bracket(const char *at)
{
    size_t depth = 0;
    do {
        depth += *at == '(' || *at == '{' || *at == '<';
        depth -= *at == ')' || *at == '}' || *at == '>';
        at++;
    } while (depth && *at);
    return at;
}

/* Returns what follows a lambda or its call, "{lambda(int)#1}" or "operator()() const"; NULL if *at
 * is neither. */
static const char *behind_lambda(const char *at)
{
    static const char call[] = "operator()", constant[] = " const";
    if (*at == '{')
        return behind_bracket(at);
    if (strncmp(at, call, sizeof call - 1) != 0 || at[sizeof call - 1] != '(')
        return NULL;
    at = behind_bracket(at + sizeof call - 1);
    return strncmp(at, constant, sizeof constant - 1) ? at : at + sizeof constant - 1;
}

void kernel_title_shorten(char *title)
{
    size_t put = 0;
    for (const char *at = title; *at;) {
        const char *lambda = at[0] == ':' && at[1] == ':' ? behind_lambda(at + 2) : NULL;
        if (lambda) {
            if (put && title[put - 1] == ')')
                put = opening_bracket(title, put - 1);
            at = lambda;
        } else if (at[0] == ':' && at[1] == ':') {
            put = scope_begin(title, put);
            at += 2;
        } else {
            title[put++] = *at++;
        }
    }
    title[put] = '\0';
}
