#include "cli/lesson_prose.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/terminal.h"
#include "timeline/timeline_prose.h"

enum { PARAGRAPH = 8192, WIDTH = 80, LEAST_WIDTH = 40, MOST_WIDTH = 100 };

static uint32_t line_width(void)
{
    const uint32_t width = terminal_width(stdout, WIDTH);
    return width < LEAST_WIDTH ? LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : width;
}

static size_t line_length(const char *text, const char *end)
{
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    return (size_t)((newline ? newline : end) - text);
}

static bool begins(const char *text, const char *end, const char *with)
{
    const size_t length = strlen(with);
    return (size_t)(end - text) >= length && memcmp(text, with, length) == 0;
}

/* Returns the bytes of the mark of a list entry, "- " or "12. "; 0: there is none. */
static uint32_t entry_mark(const char *text, const char *end)
{
    const char *at = text;
    if (begins(text, end, "- "))
        return 2;
    while (at < end && isdigit((unsigned char)*at))
        at++;
    return at > text && begins(at, end, ". ") ? (uint32_t)(at - text) + 2 : 0;
}

/* Returns whether the line at `text` continues the paragraph before it. */
static bool continues(const char *text, const char *end)
{
    static const char *const others[] = {"\n", "```", "|", "![", "<!--"};
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
        if (begins(text, end, others[i]))
            return false;
    return text < end && !entry_mark(text, end);
}

/* Returns whether the last character of a text is Chinese. Sets *mark to whether it is a full stop,
 * comma or the like, behind which there is no blank. */
static bool ends_chinese(const char *text, size_t size, bool *mark)
{
    *mark = size >= 3 &&
            ((memcmp(text + size - 3, "\u3000", 2) == 0) || (unsigned char)text[size - 3] == 0xef);
    return size >= 3 && (unsigned char)text[size - 3] >= 0xe2;
}

/* Appends a line of Markdown to a paragraph, with a blank before it unless Chinese goes on. */
static void append(char *paragraph, size_t *size, const char *line, size_t length)
{
    bool mark;
    const bool chinese = ends_chinese(paragraph, *size, &mark);
    const bool goes_on = chinese && (mark || (unsigned char)*line >= 0xe2);
    SIMSM_CHECK(*size + length + 2 <= PARAGRAPH, "a paragraph of more than %zu bytes", *size);
    if (*size && !goes_on)
        paragraph[(*size)++] = ' ';
    memcpy(paragraph + *size, line, length);
    *size += length;
    paragraph[*size] = '\0';
}

/* Removes marks: [words](link) becomes words, emphasis and marks of code go. A star between blanks
 * is a product. */
static void strip(char *text)
{
    char *to = text;
    bool code = false;
    for (const char *at = text; *at; at++) {
        const char *link = !code && begins(at, at + strlen(at), "](") ? strchr(at, ')') : NULL;
        const bool product = at > text && at[-1] == ' ' && at[1] == ' ';
        code ^= *at == '`';
        if (link)
            at = link;
        else if (*at != '`' && (code || (*at != '*' && *at != '[') || (*at == '*' && product)))
            *to++ = *at;
    }
    *to = '\0';
}

/* Prints title and file of the picture that `line` shows: ![title](../pictures/file). */
static void show_picture(const char *line, size_t length)
{
    const char *title = line + 2, *end = line + length;
    const char *bracket = memchr(title, ']', (size_t)(end - title)), *name = end;
    char text[PARAGRAPH];
    while (bracket && name > bracket && name[-1] != '/')
        name--;
    if (!bracket)
        return;
    (void)snprintf(text, sizeof text, "(%.*s: docs/pictures/%.*s", (int)(bracket - title), title,
                   (int)(end - name), name);
    prose_wrap(stdout, text, 0, 1, line_width());
}

const char *lesson_prose(const char *text, const char *end)
{
    char paragraph[PARAGRAPH];
    size_t size = 0, length = line_length(text, end);
    const bool row = begins(text, end, "|");
    const uint32_t mark = entry_mark(text, end);
    if (begins(text, end, "!["))
        show_picture(text, length);
    if (begins(text, end, "![") || begins(text, end, "<!--"))
        return text + length + (text + length < end);
    do {
        const size_t blanks = strspn(text, " ");
        append(paragraph, &size, text + blanks, length - blanks);
        text += length + (text + length < end);
        length = line_length(text, end);
    } while (!row && continues(text, end));
    strip(paragraph);
    if (row)
        (void)printf("%s\n", paragraph);
    else
        prose_wrap(stdout, paragraph, 0, mark, line_width());
    return text;
}
