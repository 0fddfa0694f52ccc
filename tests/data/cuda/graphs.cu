/* Graphs of the runtime API, captured and built, checked by itself. */
#include <cstdio>
#include <vector>

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("line %d: %s\n", __LINE__, #condition);                                    \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)
#define CUDA(call) CHECK((call) == cudaSuccess)

enum { N = 256 };

__global__ void scale(int *data, int by)
{
    data[threadIdx.x] *= by;
}

__global__ void sum(const int *a, const int *b, int *c)
{
    c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

static void count_call(void *data)
{
    ++*(int *)data;
}

/* Two branches that fork and join through events. */
static void captured()
{
    int *a, *b, *c, host[N], ones[N], calls = 0;
    for (int i = 0; i < N; i++)
        ones[i] = 1;
    for (int **p : {&a, &b, &c})
        CUDA(cudaMalloc(p, sizeof host));
    cudaStream_t main, side;
    cudaEvent_t fork, join;
    CUDA(cudaStreamCreate(&main));
    CUDA(cudaStreamCreate(&side));
    CUDA(cudaEventCreate(&fork));
    CUDA(cudaEventCreate(&join));
    CUDA(cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal));
    CUDA(cudaMemcpyAsync(a, ones, sizeof ones, cudaMemcpyHostToDevice, main));
    CUDA(cudaMemcpyAsync(b, ones, sizeof ones, cudaMemcpyHostToDevice, main));
    CUDA(cudaEventRecord(fork, main));
    CUDA(cudaStreamWaitEvent(side, fork, 0));
    scale<<<1, N, 0, main>>>(a, 3);
    scale<<<1, N, 0, side>>>(b, 5);
    CUDA(cudaEventRecord(join, side));
    CUDA(cudaStreamWaitEvent(main, join, 0));
    sum<<<1, N, 0, main>>>(a, b, c);
    CUDA(cudaLaunchHostFunc(main, count_call, &calls));
    CUDA(cudaMemcpyAsync(host, c, sizeof host, cudaMemcpyDeviceToHost, main));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t nodes = 0;
    CHECK(cudaStreamSynchronize(main) == cudaErrorStreamCaptureUnsupported);
    CUDA(cudaStreamEndCapture(main, &graph));
    CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(nodes == 7);
    CHECK(calls == 0);
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    for (int turn = 1; turn <= 3; turn++) {
        host[7] = 0;
        CUDA(cudaGraphLaunch(exec, main));
        CUDA(cudaStreamSynchronize(main));
        CHECK(calls == turn && host[7] == 8);
    }
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
    cudaGetLastError();
}

static void built()
{
    int *data, host[N], by = 3;
    CUDA(cudaMalloc(&data, sizeof host));
    cudaGraph_t graph;
    cudaGraphNode_t fill, first, second, copy, empty;
    CUDA(cudaGraphCreate(&graph, 0));
    cudaMemsetParams ones = {};
    ones.dst = data;
    ones.value = 2;
    ones.elementSize = 4;
    ones.width = N;
    ones.height = 1;
    CUDA(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &ones));
    void *arguments[] = {&data, &by};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)scale;
    kernel.gridDim = 1;
    kernel.blockDim = N;
    kernel.kernelParams = arguments;
    CUDA(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, host, data, sizeof host,
                                  cudaMemcpyDeviceToHost));
    CUDA(cudaGraphAddKernelNode(&first, graph, &fill, 1, &kernel));
    by = 7; /* the node has the value that it was given */
    CUDA(cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel));
    CUDA(cudaGraphAddEmptyNode(&empty, graph, &second, 1));
#if CUDART_VERSION >= 13000
    CUDA(cudaGraphAddDependencies(graph, &empty, &copy, nullptr, 1));
#else
    CUDA(cudaGraphAddDependencies(graph, &empty, &copy, 1));
#endif
    cudaGraphExec_t exec;
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphLaunch(exec, 0));
    CUDA(cudaDeviceSynchronize());
    CHECK(host[N - 1] == 42);
    by = 10;
    CUDA(cudaGraphExecKernelNodeSetParams(exec, second, &kernel));
    CUDA(cudaGraphLaunch(exec, 0));
    CHECK(host[0] == 60);
    CUDA(cudaGraphNodeSetEnabled(exec, first, 0));
    CUDA(cudaGraphLaunch(exec, 0));
    CHECK(host[0] == 20);
    cudaGraphNodeType type;
    CUDA(cudaGraphNodeGetType(second, &type));
    CHECK(type == cudaGraphNodeTypeKernel);
    cudaGraph_t outer;
    cudaGraphNode_t child;
    CUDA(cudaGraphCreate(&outer, 0));
    CUDA(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
    CUDA(cudaGraphDestroyNode(empty));
    cudaGraphExec_t nested;
    CUDA(cudaGraphInstantiate(&nested, outer, 0));
    CUDA(cudaGraphLaunch(nested, 0));
    CHECK(host[0] == 42);
    CUDA(cudaGraphExecDestroy(nested));
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(outer));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaFree(data));
}

int main()
{
    captured();
    built();
    if (failures == 0)
        std::printf("PASS graphs\n");
    return failures != 0;
}
