/* Records of work beside the warps: copies (TMA) and products of warp groups (wgmma). */
#include "observe/recorder.h"

static const char not_begun[] = "is told of a copy that no warp has issued";

static void add_varint(struct recorder *recorder, uint64_t number)
{
    struct recorder_slot *stream = &recorder->slot[recorder->slots];
    stream->at = bytes_put_varint(stream->at, number);
}

/* Writes copy `number`, which is under way, for the cycle `at`. */
static void put_copy(struct recorder *recorder, uint32_t number, uint64_t at)
{
    const struct recorder_copy *copy = &recorder->work->copy[number];
    if (!recorder_put_sm(recorder, SMTL_COPY, at, number, copy->inst))
        return;
    add_varint(recorder, copy->slot);
    add_varint(recorder, copy->reach);
    add_varint(recorder, copy->bytes);
    add_varint(recorder, at - copy->issued);
}

/* Writes a product as its distance from the products before it: in a loop it is always the same. */
static void put_product(struct recorder *recorder, const struct recorder_product *product,
                        uint64_t at)
{
    struct recorder_work *work = recorder->work;
    uint64_t *last_end = &work->last_end[product->slot % recorder->subs];
    const unsigned what = product->issued < at ? SMTL_PRODUCT_UNDER_WAY : SMTL_PRODUCT;
    const uint32_t off = (uint32_t)bytes_zigzag((int32_t)(product->inst - work->last_inst));
    if (!recorder_put_sm(recorder, what, at, product->slot, off))
        return;
    add_varint(recorder, bytes_zigzag((int64_t)(product->begin - *last_end)));
    add_varint(recorder, product->end - product->begin);
    if (what == SMTL_PRODUCT_UNDER_WAY)
        add_varint(recorder, at - product->issued);
    work->last_inst = product->inst;
    *last_end = product->end;
}

static const char *start_copy(struct recorder *recorder, const struct simsm_event *event)
{
    struct recorder_work *work = recorder->work;
    uint32_t number = 0;
    while (number < SMTL_COPIES && work->copy[number].used)
        number++;
    if (event->sub >= SMTL_COPIES || number == SMTL_COPIES)
        return "begins more copies than can be under way";
    work->named[event->sub] = (uint8_t)(number + 1);
    struct recorder_copy *copy = &work->copy[number];
    copy->issued = event->cycle;
    copy->inst = event->arg;
    copy->bytes = work->size;
    copy->reach = (uint8_t)work->reach;
    copy->slot = (uint8_t)(event->unit % SIMSM_SLOTS_PER_SM);
    copy->used = true;
    put_copy(recorder, number, event->cycle);
    return NULL;
}

static const char *end_copy(struct recorder *recorder, const struct simsm_event *event)
{
    struct recorder_work *work = recorder->work;
    if (event->sub >= SMTL_COPIES || !work->named[event->sub])
        return not_begun;
    const uint32_t number = work->named[event->sub] - 1u;
    work->named[event->sub] = 0;
    work->copy[number].used = false;
    (void)recorder_put_sm(recorder, SMTL_COPY_END, event->cycle, number, 0);
    return NULL;
}

static const char *wake(struct recorder *recorder, const struct simsm_event *event)
{
    const struct recorder_work *work = recorder->work;
    uint32_t number = SMTL_COPIES; /* of another SM */
    if (event->sub < SMTL_COPIES && !work->named[event->sub])
        return not_begun;
    if (event->sub < SMTL_COPIES)
        number = work->named[event->sub] - 1u;
    (void)recorder_put_sm(recorder, SMTL_COPY_WAKE, event->cycle, number,
                          event->unit % SIMSM_SLOTS_PER_SM);
    return NULL;
}

static const char *start_product(struct recorder *recorder, const struct simsm_event *event)
{
    struct recorder_work *work = recorder->work;
    struct recorder_product *product = &work->product[work->products++ % RECORDER_PRODUCTS];
    product->issued = event->cycle;
    product->begin = event->cycle + (work->size >> 16);
    product->end = product->begin + (work->size & 0xffff);
    product->inst = event->arg;
    product->slot = (uint8_t)(event->unit % SIMSM_SLOTS_PER_SM);
    put_product(recorder, product, event->cycle);
    return NULL;
}

static const char *note_size(struct recorder *recorder, const struct simsm_event *event)
{
    recorder->work->size = event->arg;
    recorder->work->reach = event->sub;
    return NULL;
}

const char *recorder_push_work(struct recorder *recorder, const struct simsm_event *event)
{
    static const char *(*const push[SIMSM_EVENT_COUNT])(struct recorder *,
                                                        const struct simsm_event *) = {
        [SIMSM_EVENT_WORK_SIZE] = note_size,   [SIMSM_EVENT_COPY_START] = start_copy,
        [SIMSM_EVENT_COPY_END] = end_copy,     [SIMSM_EVENT_COPY_WAKE] = wake,
        [SIMSM_EVENT_PRODUCT] = start_product,
    };
    return push[event->kind](recorder, event);
}

void recorder_repeat_work(struct recorder *recorder)
{
    struct recorder_work *work = recorder->work;
    work->last_inst = 0;
    for (uint32_t sub = 0; sub < recorder->subs; sub++)
        work->last_end[sub] = recorder->begin;
    for (uint32_t number = 0; number < SMTL_COPIES; number++)
        if (work->copy[number].used)
            put_copy(recorder, number, recorder->begin);
    const uint32_t last = work->products;
    for (uint32_t i = last < RECORDER_PRODUCTS ? 0 : last - RECORDER_PRODUCTS; i < last; i++) {
        const struct recorder_product *product = &work->product[i % RECORDER_PRODUCTS];
        if (product->end > recorder->begin)
            put_product(recorder, product, recorder->begin);
    }
}
