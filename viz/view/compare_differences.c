/* What two runs set differently, and which is faster and why, in words. */
#include <stdio.h>
#include <string.h>

#include "config/schema.h"
#include "config/value.h"
#include "language/language.h"
#include "report/speed_change.h"
#include "view/view_compare.h"

/* A list in words. An item that does not fit is counted in left_out. */
struct difference_list {
    char *text;
    size_t size, used;
    uint32_t left_out;
};

enum { ROOM_FOR_MORE = 16, ITEM = 200 };

/* Adds an item as "NAME A / B", or counts it if it does not fit. */
static void add(struct difference_list *list, const char *name, const char *a, const char *b)
{
    char item[ITEM];
    (void)snprintf(item, sizeof item, "%s%.50s %.60s / %.60s", list->used ? ", " : "", name, a, b);
    size_t length = strlen(item);
    if (list->left_out || list->used + length + ROOM_FOR_MORE >= list->size) {
        list->left_out++;
        return;
    }
    memcpy(list->text + list->used, item, length + 1);
    list->used += length;
}

static void add_number(struct difference_list *list, const char *name, uint32_t a, uint32_t b)
{
    char first[16];
    char second[16];
    if (a == b)
        return;
    (void)snprintf(first, sizeof first, "%u", a);
    (void)snprintf(second, sizeof second, "%u", b);
    add(list, name, first, second);
}

static void add_launch(struct difference_list *list, const struct simsm_launch *a,
                       const struct simsm_launch *b)
{
    static const char *const grid[] = {N_("grid x"), N_("grid y"), N_("grid z")};
    static const char *const block[] = {N_("block x"), N_("block y"), N_("block z")};
    if (strcmp(a->name, b->name) != 0)
        add(list, _("kernel"), a->name, b->name);
    for (int i = 0; i < 3; i++)
        add_number(list, translate(grid[i]), a->grid[i], b->grid[i]);
    for (int i = 0; i < 3; i++)
        add_number(list, translate(block[i]), a->block[i], b->block[i]);
    add_number(list, _("registers"), a->registers, b->registers);
    add_number(list, _("shared memory"), a->shared_static + a->shared_dynamic,
               b->shared_static + b->shared_dynamic);
}

/* Leaves out gpu.timing: it only says of the other keys where their values are from. */
static void add_config(struct difference_list *list, const struct simsm_config *a,
                       const struct simsm_config *b)
{
    for (uint32_t i = 0; i < SCHEMA_ROWS; i++) {
        char path[SCHEMA_PATH];
        char first[VALUE_TEXT];
        char second[VALUE_TEXT];
        value_text(a, &schema_rows[i], first);
        value_text(b, &schema_rows[i], second);
        if (i != SCHEMA_gpu_timing && strcmp(first, second) != 0)
            add(list, schema_path(&schema_rows[i], path), first, second);
    }
}

void compare_differences(struct run *a, struct run *b, char *text, size_t size)
{
    static const char head[] = "A / B: ";
    struct simsm_error error;
    struct difference_list list = {.text = text + sizeof head - 1, .size = size - sizeof head};
    const struct simsm_config *first = run_config(a, &error);
    const struct simsm_config *second = run_config(b, &error);
    memcpy(text, head, sizeof head);
    add_launch(&list, &run_info(a)->launch, &run_info(b)->launch);
    if (first && second)
        add_config(&list, first, second);
    if (!list.used)
        (void)snprintf(text, size, _("The same kernel, launch and configuration in both."));
    else if (list.left_out)
        (void)snprintf(list.text + list.used, list.size - list.used, _(", %u more"), list.left_out);
}

void compare_sentence(struct run *a, struct run *b, char *text, size_t size)
{
    static const double NOISE = 0.01;
    const struct timeline_info *const info[] = {run_info(a), run_info(b)};
    struct speed_side side[2] = {{.calls = 0}, {.calls = 0}};
    struct speed_change change;
    *text = '\0';
    for (int i = 0; i < 2; i++) {
        if (!info[i]->stats || !info[i]->complete)
            return;
        speed_side_add(&side[i], info[i]->stats, (double)info[i]->clock_khz / 1e3);
    }
    speed_change_find(&side[0], &side[1], NOISE, &change);
    (void)snprintf(text, size, _("B against A: %s."), change.sentence);
}
