/* JUnit's XML, which continuous integration shows as tests. */
#include <inttypes.h>
#include <stdlib.h>

#include "sanitize/findings_write.h"

static void print_escaped(const char *text, FILE *file)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            (void)fputs("&lt;", file);
            break;
        case '>':
            (void)fputs("&gt;", file);
            break;
        case '&':
            (void)fputs("&amp;", file);
            break;
        case '"':
            (void)fputs("&quot;", file);
            break;
        default:
            (void)fputc((unsigned char)*text < ' ' && *text != '\n' ? ' ' : *text, file);
        }
    }
}

static void print_failure(const struct finding *finding, FILE *file)
{
    char *text = NULL;
    size_t size = 0;
    (void)fputs("      <failure message=\"", file);
    print_escaped(finding->message, file);
    (void)fputs("\">", file);
    FILE *places = open_memstream(&text, &size);
    if (places) {
        findings_text_places(finding, places);
        (void)fclose(places);
    }
    print_escaped(text ? text : "", file);
    free(text);
    (void)fputs("</failure>\n", file);
}

bool findings_junit(const struct findings *findings, const struct findings_subject *subject,
                    FILE *file)
{
    const struct finding *list = findings->list.data;
    uint64_t failed = 0, wanted = (uint64_t)__builtin_popcountll(findings->wanted);
    for (unsigned k = 0; k < FINDING_KINDS; k++) {
        bool found = false;
        for (size_t i = 0; i < findings->list.count && !found; i++)
            found = list[i].kind == k && finding_rows[k].level != LEVEL_NOTE;
        failed += found;
    }
    (void)fprintf(file,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                  "  <testsuite name=\"simsm check\" tests=\"%" PRIu64 "\" failures=\"%" PRIu64
                  "\" hostname=\"",
                  wanted, failed);
    print_escaped(subject->program, file);
    (void)fputs("\">\n", file);
    for (unsigned k = 0; k < FINDING_KINDS; k++) {
        if (!(findings->wanted >> k & 1))
            continue;
        (void)fprintf(file, "    <testcase classname=\"simsm\" name=\"%s\">\n",
                      finding_rows[k].name);
        for (size_t i = 0; i < findings->list.count; i++)
            if (list[i].kind == k && finding_rows[k].level != LEVEL_NOTE)
                print_failure(&list[i], file);
        (void)fputs("    </testcase>\n", file);
    }
    (void)fputs("  </testsuite>\n</testsuites>\n", file);
    return !ferror(file);
}
