/* Parameters of graph nodes through the driver API: fills, events, child graphs. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct fill {
    uint64_t dst;
    size_t pitch;
    unsigned value, element;
    size_t width, height;
};

struct node_params {
    int type, reserved[3];
    union {
        struct fill fill;
        long long room[29];
    } as;
    long long end;
};

int cuInit(unsigned flags);
int cuMemAlloc_v2(uint64_t *pointer, size_t size);
int cuMemcpyDtoH_v2(void *dst, uint64_t src, size_t size);
int cuMemsetD32Async(uint64_t dst, unsigned value, size_t count, void *stream);
int cuMemsetD2D16Async(uint64_t dst, size_t pitch, unsigned short value, size_t width,
                       size_t height, void *stream);
int cuMemsetD2D32Async(uint64_t dst, size_t pitch, unsigned value, size_t width, size_t height,
                       void *stream);
int cuStreamCreate(void **stream, unsigned flags);
int cuStreamSynchronize(void *stream);
int cuStreamBeginCapture_v2(void *stream, int mode);
int cuStreamEndCapture(void *stream, void **graph);
int cuEventCreate(void **event, unsigned flags);
int cuEventElapsedTime_v2(float *ms, void *from, void *to);
int cuGraphCreate(void **graph, unsigned flags);
int cuGraphGetNodes(void *graph, void **node, size_t *count);
int cuGraphNodeGetType(void *node, int *type);
int cuGraphAddNode_v2(void **node, void *graph, void *const *from, const void *edges, size_t count,
                      struct node_params *params);
int cuGraphAddEventRecordNode(void **node, void *graph, void *const *from, size_t count,
                              void *event);
int cuGraphAddEventWaitNode(void **node, void *graph, void *const *from, size_t count, void *event);
int cuGraphAddChildGraphNode(void **node, void *graph, void *const *from, size_t count,
                             void *child);
int cuGraphNodeSetParams(void *node, const struct node_params *params);
int cuGraphExecNodeSetParams(void *exec, void *node, const struct node_params *params);
int cuGraphEventRecordNodeGetEvent(void *node, void **event);
int cuGraphEventRecordNodeSetEvent(void *node, void *event);
int cuGraphEventWaitNodeGetEvent(void *node, void **event);
int cuGraphEventWaitNodeSetEvent(void *node, void *event);
int cuGraphExecEventRecordNodeSetEvent(void *exec, void *node, void *event);
int cuGraphExecEventWaitNodeSetEvent(void *exec, void *node, void *event);
int cuGraphExecChildGraphNodeSetParams(void *exec, void *node, void *child);
int cuGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags);
int cuGraphLaunch(void *exec, void *stream);
int cuGraphDestroy(void *graph);
int cuGraphDestroyNode(void *node);
int cuGraphExecDestroy(void *exec);
int cuUserObjectCreate(void **object, void *data, void (*destroy)(void *), unsigned count,
                       unsigned flags);
int cuUserObjectRetain(void *object, unsigned count);
int cuUserObjectRelease(void *object, unsigned count);
int cuGraphRetainUserObject(void *graph, void *object, unsigned count, unsigned flags);
int cuGraphReleaseUserObject(void *graph, void *object, unsigned count);

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

enum { FILL = 2, INVALID = 1, INVALID_HANDLE = 400 };

static struct node_params filling(uint64_t dst, unsigned value)
{
    return (struct node_params){.type = FILL, .as.fill = {dst, 0, value, 4, 1, 1}};
}

static unsigned launched(void *exec, uint64_t at)
{
    unsigned value = 0;
    CHECK(cuGraphLaunch(exec, NULL) == 0 && cuStreamSynchronize(NULL) == 0);
    CHECK(cuMemcpyDtoH_v2(&value, at, sizeof value) == 0);
    return value;
}

static void check_fills(uint64_t at)
{
    void *graph, *node, *exec;
    struct node_params params = filling(at, 1);
    CHECK(cuGraphCreate(&graph, 0) == 0);
    CHECK(cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &params) == 0);
    params = filling(at, 2);
    CHECK(cuGraphNodeSetParams(node, &params) == 0);
    CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0) == 0 && launched(exec, at) == 2);
    params = filling(at, 3);
    CHECK(cuGraphNodeSetParams(node, &params) == 0 && launched(exec, at) == 2);
    params = filling(at, 4);
    CHECK(cuGraphExecNodeSetParams(exec, node, &params) == 0 && launched(exec, at) == 4);
    params.type = 5; /* the node is no empty one */
    CHECK(cuGraphExecNodeSetParams(exec, node, &params) == INVALID);
    CHECK(cuGraphExecNodeSetParams(NULL, node, &params) == INVALID);
    CHECK(cuGraphNodeSetParams(node, NULL) == INVALID && launched(exec, at) == 4);
}

static void check_events(void)
{
    void *graph, *record, *wait, *exec, *event[3], *found = NULL;
    float ms;
    for (int i = 0; i < 3; i++)
        CHECK(cuEventCreate(&event[i], 0) == 0);
    CHECK(cuGraphCreate(&graph, 0) == 0);
    CHECK(cuGraphAddEventRecordNode(&record, graph, NULL, 0, event[0]) == 0);
    CHECK(cuGraphAddEventWaitNode(&wait, graph, &record, 1, event[0]) == 0);
    CHECK(cuGraphEventRecordNodeSetEvent(record, event[1]) == 0);
    CHECK(cuGraphEventRecordNodeGetEvent(record, &found) == 0 && found == event[1]);
    CHECK(cuGraphEventWaitNodeSetEvent(wait, event[1]) == 0);
    CHECK(cuGraphEventWaitNodeGetEvent(wait, &found) == 0 && found == event[1]);
    CHECK(cuGraphEventWaitNodeGetEvent(record, &found) == INVALID);
    CHECK(cuGraphEventRecordNodeSetEvent(wait, event[0]) == INVALID);
    CHECK(cuGraphEventRecordNodeSetEvent(record, &found) == INVALID_HANDLE);
    CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0) == 0);
    CHECK(cuGraphExecEventWaitNodeSetEvent(exec, wait, event[2]) == 0);
    CHECK(cuGraphExecEventRecordNodeSetEvent(exec, record, event[2]) == 0);
    CHECK(cuGraphLaunch(exec, NULL) == 0 && cuStreamSynchronize(NULL) == 0);
    CHECK(cuEventElapsedTime_v2(&ms, event[2], event[2]) == 0);
    CHECK(cuEventElapsedTime_v2(&ms, event[1], event[2]) == INVALID_HANDLE); /* never recorded */
}

static void check_children(uint64_t at)
{
    void *graph, *child[3], *node, *exec;
    for (int i = 0; i < 3; i++) {
        struct node_params params = filling(at, 10 + (unsigned)i);
        CHECK(cuGraphCreate(&child[i], 0) == 0);
        CHECK(cuGraphAddNode_v2(&node, child[i], NULL, NULL, 0, &params) == 0);
        if (i == 2) /* another topology */
            CHECK(cuGraphAddNode_v2(&node, child[i], &node, NULL, 1, &params) == 0);
    }
    CHECK(cuGraphCreate(&graph, 0) == 0);
    CHECK(cuGraphAddChildGraphNode(&node, graph, NULL, 0, child[0]) == 0);
    CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0) == 0 && launched(exec, at) == 10);
    CHECK(cuGraphExecChildGraphNodeSetParams(exec, node, child[1]) == 0);
    CHECK(launched(exec, at) == 11);
    CHECK(cuGraphExecChildGraphNodeSetParams(exec, node, child[2]) == INVALID);
    CHECK(cuGraphExecChildGraphNodeSetParams(exec, node, node) == INVALID);
    CHECK(launched(exec, at) == 11);
}

static void count_end(void *ends)
{
    ++*(int *)ends;
}

/* An object lives as long as the program or a graph has a reference. */
static void check_objects(void)
{
    void *graph, *exec, *object, *moved;
    int ends = 0, moved_ends = 0;
    enum { CREATED = 1, MOVE = 1 };
    CHECK(cuUserObjectCreate(&object, &ends, count_end, 1, 0) == INVALID);
    CHECK(cuUserObjectCreate(&object, &ends, count_end, 1, CREATED) == 0);
    CHECK(cuUserObjectCreate(&moved, &moved_ends, count_end, 2, CREATED) == 0);
    CHECK(cuUserObjectRetain(object, 2) == 0 && cuUserObjectRelease(object, 4) == INVALID);
    CHECK(cuUserObjectRelease(object, 2) == 0 && ends == 0);
    CHECK(cuGraphCreate(&graph, 0) == 0);
    CHECK(cuGraphRetainUserObject(graph, object, 1, 0) == 0);
    CHECK(cuGraphRetainUserObject(graph, moved, 2, MOVE) == 0);
    CHECK(cuUserObjectRelease(moved, 1) == INVALID); /* the graph has them all */
    CHECK(cuUserObjectRelease(object, 1) == 0 && ends == 0);
    CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0) == 0);
    CHECK(cuGraphReleaseUserObject(graph, object, 2) == INVALID);
    CHECK(cuGraphReleaseUserObject(graph, object, 1) == 0 && ends == 0);
    CHECK(cuGraphDestroy(graph) == 0 && ends == 0 && moved_ends == 0);
    CHECK(cuGraphExecDestroy(exec) == 0 && ends == 1 && moved_ends == 1);
    CHECK(cuUserObjectRetain(object, 1) == INVALID);

    /* The copy of a graph that a node has keeps the object until the node goes. */
    void *child, *node;
    ends = 0;
    CHECK(cuUserObjectCreate(&object, &ends, count_end, 1, CREATED) == 0);
    CHECK(cuGraphCreate(&graph, 0) == 0 && cuGraphCreate(&child, 0) == 0);
    CHECK(cuGraphRetainUserObject(child, object, 1, MOVE) == 0);
    CHECK(cuGraphAddChildGraphNode(&node, graph, NULL, 0, child) == 0);
    CHECK(cuGraphDestroy(child) == 0 && ends == 0);
    CHECK(cuGraphDestroyNode(node) == 0 && ends == 1);
    CHECK(cuGraphDestroy(graph) == 0);
}

/* A fill becomes a node for a fill; fills of rows. */
static void check_stream_fills(uint64_t at)
{
    enum { FILL = 2 };
    void *stream, *graph, *node = NULL;
    size_t count = 1;
    int type = -1;
    CHECK(cuStreamCreate(&stream, 1) == 0 && cuStreamBeginCapture_v2(stream, 0) == 0);
    CHECK(cuMemsetD32Async(at, 5, 4, stream) == 0 && cuStreamEndCapture(stream, &graph) == 0);
    CHECK(cuGraphGetNodes(graph, &node, &count) == 0 && count == 1);
    CHECK(cuGraphNodeGetType(node, &type) == 0 && type == FILL);
    CHECK(cuGraphDestroy(graph) == 0);
    /* two rows of two elements; the second row begins 8 elements behind the first */
    unsigned short value[16] = {0};
    CHECK(cuMemsetD2D32Async(at, 16, 0, 4, 2, stream) == 0);
    CHECK(cuMemsetD2D16Async(at, 16, 7, 2, 2, stream) == 0 && cuStreamSynchronize(stream) == 0);
    CHECK(cuMemcpyDtoH_v2(value, at, sizeof value) == 0);
    CHECK(value[1] == 7 && value[2] == 0 && value[8] == 7 && value[9] == 7 && value[10] == 0);
}

int main(void)
{
    uint64_t at;
    CHECK(cuInit(0) == 0 && cuMemAlloc_v2(&at, 64) == 0);
    check_fills(at);
    check_events();
    check_children(at);
    check_objects();
    check_stream_fills(at);
    printf("%s driver_graphs\n", failures ? "FAIL" : "PASS");
    return failures != 0;
}
