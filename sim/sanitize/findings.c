/* The list of findings, and suppressions. */
#include "sanitize/findings.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

const struct finding_row finding_rows[FINDING_KINDS] = {
#define FINDING(id, tool, name, level, title, advice)                                              \
    [FINDING_##id] = {TOOL_##tool, LEVEL_##level, name, title, advice},
#include "sanitize/finding_kinds.def"
#undef FINDING
};

uint64_t finding_select(const char *name)
{
    const size_t length = strlen(name);
    uint64_t kinds = 0;
    for (unsigned k = 0; k < FINDING_KINDS; k++) {
        const char *full = finding_rows[k].name;
        const bool tool = strncmp(full, name, length) == 0 && full[length] == '/';
        if (length && (tool || strcmp(full, name) == 0))
            kinds |= UINT64_C(1) << k;
    }
    return kinds;
}

void findings_begin(struct findings *findings, uint64_t wanted)
{
    *findings = (struct findings){.list.size = sizeof(struct finding),
                                  .suppression.size = sizeof(struct suppression),
                                  .wanted = wanted};
}

void findings_free(struct findings *findings)
{
    pool_free(&findings->list);
    key_map_free(&findings->known);
    pool_free(&findings->suppression);
}

bool findings_again(struct findings *findings, uint64_t key)
{
    const uint64_t *index = key_map_find(&findings->known, key, 0);
    if (index && *index)
        ((struct finding *)findings->list.data)[*index - 1].times++;
    return index != NULL;
}

void findings_ignore(struct findings *findings, uint64_t key)
{
    findings->failed |= !key_map_put(&findings->known, key, 0);
}

uint64_t findings_times(const struct findings *findings, uint64_t key)
{
    const uint64_t *index = key_map_find(&findings->known, key, 0);
    return index && *index ? ((const struct finding *)findings->list.data)[*index - 1].times : 0;
}

/* Returns whether the pattern matches a name, a file, or its line. */
static bool matches_place(const char *pattern, const char *name, const char *file, uint32_t line)
{
    char at[224];
    (void)snprintf(at, sizeof at, "%s:%u", file, line);
    return fnmatch(pattern, name, 0) == 0 || fnmatch(pattern, file, 0) == 0 ||
           fnmatch(pattern, at, 0) == 0;
}

static bool matches_call(const char *pattern, const struct finding_call *call)
{
    for (uint32_t i = 0; call->frames && i < call->frames->count; i++) {
        const struct host_frame *frame = &call->frames->frame[i];
        if (matches_place(pattern, frame->function, frame->file, frame->line))
            return true;
    }
    return false;
}

static bool matches_inlined(const char *pattern, const struct finding_place *place)
{
    for (uint32_t i = 0; i < place->inlined_count; i++)
        if (matches_place(pattern, "", place->inlined[i].file, place->inlined[i].line))
            return true;
    return false;
}

static bool matches(const struct suppression *suppression, const struct finding *finding)
{
    if (!(suppression->kinds >> finding->kind & 1))
        return false;
    for (size_t i = 0; i < FINDING_PLACES && finding->place[i].what; i++) {
        const struct finding_place *place = &finding->place[i];
        if (matches_place(suppression->pattern, place->kernel, place->file, place->line) ||
            matches_inlined(suppression->pattern, place) ||
            matches_call(suppression->pattern, &place->by))
            return true;
    }
    return matches_call(suppression->pattern, &finding->call) ||
           matches_call(suppression->pattern, &finding->memory.allocation) ||
           strcmp(suppression->pattern, "*") == 0;
}

static bool same_line(const struct finding_place *a, const struct finding_place *b)
{
    return (a->what == NULL) == (b->what == NULL) && a->line == b->line &&
           strcmp(a->kernel, b->kernel) == 0 && strcmp(a->file, b->file) == 0 &&
           (a->line || a->offset == b->offset) && (a->code[0] || a->by.stack == b->by.stack);
}

/* Returns the index + 1 of a finding of the same kind with the same source lines; 0: there is none.
 * Findings without a place differ. */
static size_t find_lines(const struct findings *findings, const struct finding *finding)
{
    const struct finding *list = findings->list.data;
    for (size_t i = 0; finding->place[0].what && i < findings->list.count; i++)
        if (list[i].kind == finding->kind && same_line(&list[i].place[0], &finding->place[0]) &&
            same_line(&list[i].place[1], &finding->place[1]))
            return i + 1;
    return 0;
}

static void resolve(const struct findings *findings, struct finding_call *call)
{
    if (findings->stack_of && call->stack)
        call->frames = findings->stack_of(findings->stack_context, call->stack);
}

static void resolve_calls(const struct findings *findings, struct finding *finding)
{
    for (size_t i = 0; i < FINDING_PLACES && finding->place[i].what; i++)
        resolve(findings, &finding->place[i].by);
    resolve(findings, &finding->call);
    resolve(findings, &finding->memory.allocation);
    resolve(findings, &finding->memory.release);
}

void findings_add(struct findings *findings, const struct finding *found)
{
    const struct suppression *suppression = findings->suppression.data;
    if (!(findings->wanted >> found->kind & 1) || findings_again(findings, found->key))
        return;
    struct finding added = *found, *finding = &added;
    resolve_calls(findings, finding);
    uint64_t *index = key_map_put(&findings->known, finding->key, 0);
    findings->failed |= !index;
    for (size_t i = 0; i < findings->suppression.count; i++)
        if (matches(&suppression[i], finding)) {
            findings->suppressed++;
            return;
        }
    const size_t same = find_lines(findings, finding);
    if (index && same) {
        *index = same;
        ((struct finding *)findings->list.data)[same - 1].times++;
        return;
    }
    added.times = 1;
    if (!index || !pool_add(&findings->list, &added))
        findings->failed = true;
    else
        *index = findings->list.count;
}

uint64_t findings_serious(const struct findings *findings)
{
    const struct finding *list = findings->list.data;
    uint64_t count = 0;
    for (size_t i = 0; i < findings->list.count; i++)
        count += finding_rows[list[i].kind].level != LEVEL_NOTE;
    return count;
}

/* Returns whether `finding` follows from `cause`, an error about a race. */
static bool follows(const struct finding *finding, const struct finding *cause)
{
    const struct finding_place *place = &finding->place[0];
    const struct finding_row *row = &finding_rows[cause->kind];
    if (row->tool != TOOL_RACE || row->level == LEVEL_NOTE || !place->what)
        return false;
    if (finding->kind != FINDING_SAME_VALUE && finding->kind != FINDING_INIT_SHARED)
        return false;
    for (size_t i = 0; i < FINDING_PLACES; i++)
        if (cause->place[i].what && same_line(&cause->place[i], place))
            return true;
    return false;
}

void findings_settle(struct findings *findings)
{
    struct finding *list = findings->list.data;
    size_t kept = 0;
    for (size_t i = 0; i < findings->list.count; i++) {
        bool drop = false;
        for (size_t k = 0; k < findings->list.count && !drop; k++)
            drop = (k < kept || k > i) && follows(&list[i], &list[k]);
        if (!drop)
            list[kept++] = list[i];
    }
    findings->list.count = kept;
    key_map_free(&findings->known); /* its indices are not valid any more */
}
