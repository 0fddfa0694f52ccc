/*
 * MODEL: warps that wait for words of global memory. The polls and writes of all SMs in a window
 * take effect in the order of (cycle, SM, sequence). A poll that finds its wait over lets the warp
 * leave its spin loop. If all warps wait in this way, or at barriers for warps that do, none would
 * ever go on: the warps that they wait for cannot start for lack of room, or execute in another
 * order than when the waits were found. The wait of the first warp of the first block is then ended
 * at its next poll.
 * SOURCE: own choice; core_wait.c.
 * LEFT OUT: as core_wait.c.
 */
#include <stdlib.h>

#include "base/sort.h"
#include "gpu/gpu_state.h"

static int by_time(const void *a, const void *b)
{
    const struct gpu_post *x = a, *y = b;
    if (x->post.cycle != y->post.cycle)
        return x->post.cycle < y->post.cycle ? -1 : 1;
    if (x->sm != y->sm)
        return x->sm < y->sm ? -1 : 1;
    return x->sequence < y->sequence ? -1 : 1;
}

static bool room_for(struct gpu *gpu, uint32_t count)
{
    if (count <= gpu->post_room)
        return true;
    uint32_t room = 2 * count;
    struct gpu_post *grown = realloc(gpu->post, room * sizeof *grown);
    if (!grown) {
        gpu->no_memory = true;
        return false;
    }
    gpu->post = grown;
    gpu->post_room = room;
    return true;
}

_Static_assert(sizeof(struct gpu_post) <= SORT_ITEM, "sort_in_place takes no larger ones");

static uint32_t collect(struct gpu *gpu)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < gpu->sms; i++) {
        uint32_t count;
        const struct sm_post *post = sm_take_posts(gpu->sm[i].sm, &count);
        if (!count)
            continue;
        gpu->no_memory |= sm_posts_lost(gpu->sm[i].sm);
        if (!room_for(gpu, total + count))
            return 0;
        for (uint32_t k = 0; k < count; k++)
            gpu->post[total++] = (struct gpu_post){.post = post[k], .sm = i, .sequence = k};
    }
    if (total > 1)
        sort_in_place(gpu->post, total, sizeof *gpu->post, by_time);
    return total;
}

static void count_write(struct gpu *gpu, const struct sm_post *post)
{
    gpu->no_memory |= !word_written(&gpu->words, post->address, post->count);
}

/*
 * Lets the warp go on if its wait is over, or if `forced`. Returns false if the wait is not over.
 */
static bool answer_poll(struct gpu *gpu, const struct gpu_post *poll, bool forced)
{
    struct sm *sm = gpu->sm[poll->sm].sm;
    struct wait wait;
    if (!sm_poll_open(sm, &poll->post))
        return true;
    if (!forced && poll->post.denied)
        return false;
    sm_poll_wait(sm, &poll->post, &wait);
    if (!forced && !wait_is_over(&gpu->words, &wait, false))
        return false;
    gpu->no_memory |= !wait_take(&gpu->words, &wait, false);
    sm_poll_grant(sm, &poll->post, forced);
    return true;
}

/* Ends the wait of the first warp if no warp of the GPU can go on and that warp has polled since
 * the last event. */
static void force_first_wait(struct gpu *gpu, uint32_t total)
{
    uint64_t busy_at = 0, first_block = UINT64_MAX;
    uint32_t first_warp = UINT32_MAX;
    for (uint32_t i = 0; i < gpu->sms; i++) {
        const struct sm *sm = gpu->sm[i].sm;
        if (!sm_only_waits(sm, &first_block, &first_warp))
            return;
        busy_at = sm_busy_at(sm) > busy_at ? sm_busy_at(sm) : busy_at;
    }
    for (uint32_t i = 0; i < total; i++) {
        const struct gpu_post *poll = &gpu->post[i];
        uint64_t block;
        uint32_t warp;
        if (poll->post.count || poll->post.cycle <= busy_at)
            continue;
        sm_poll_warp(gpu->sm[poll->sm].sm, &poll->post, &block, &warp);
        if (block != first_block || warp != first_warp)
            continue;
        (void)answer_poll(gpu, poll, true);
        return;
    }
}

void waits_exchange(struct gpu *gpu)
{
    uint32_t total = collect(gpu), denied = 0;
    for (uint32_t i = 0; i < total; i++) {
        const struct gpu_post *post = &gpu->post[i];
        if (post->post.count)
            count_write(gpu, &post->post);
        else
            denied += !answer_poll(gpu, post, false);
    }
    if (denied)
        force_first_wait(gpu, total);
}
