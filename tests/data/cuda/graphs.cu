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

/* What nodes and streams are asked, and changed by that. */
static void asked()
{
    int *a, host[N], ones[N];
    for (int i = 0; i < N; i++)
        ones[i] = 1;
    CUDA(cudaMalloc(&a, sizeof host));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t copy, kernel, found[2];
    size_t count = 2;
    int by = 3, seven = 7;
    CUDA(cudaGraphCreate(&graph, 0));
    CUDA(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, a, ones, sizeof ones,
                                  cudaMemcpyHostToDevice));
    void *arguments[] = {&a, &by};
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void *>(scale);
    params.gridDim = dim3(1);
    params.blockDim = dim3(N);
    params.kernelParams = arguments;
    CUDA(cudaGraphAddKernelNode(&kernel, graph, &copy, 1, &params));
    CUDA(cudaGraphGetNodes(graph, found, &count));
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    cudaKernelNodeParams now = {};
    CUDA(cudaGraphKernelNodeGetParams(kernel, &now));
    CHECK(now.func == params.func && now.blockDim.x == N && now.gridDim.x == 1);
    CHECK(*static_cast<int **>(now.kernelParams[0]) == a &&
          *static_cast<int *>(now.kernelParams[1]) == 3);
    CHECK(cudaGraphKernelNodeGetParams(copy, &now) == cudaErrorInvalidValue);
    void *others[] = {now.kernelParams[0], &seven};
    now.kernelParams = others;
    CUDA(cudaGraphExecKernelNodeSetParams(exec, kernel, &now));
    CUDA(cudaGraphLaunch(exec, nullptr));
    CUDA(cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[N - 1] == 7);
    cudaMemcpy3DParms copied = {};
    CUDA(cudaGraphMemcpyNodeGetParams(copy, &copied));
    CHECK(copied.srcPtr.ptr == ones && copied.dstPtr.ptr == a &&
          copied.extent.width == sizeof ones && copied.extent.height == 1 &&
          copied.extent.depth == 1 && copied.kind == cudaMemcpyHostToDevice);
    CUDA(cudaGraphMemcpyNodeSetParams(copy, &copied));
    cudaLaunchAttributeValue value = {};
    value.cooperative = 1;
    CUDA(cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributeCooperative, &value));
    value.cooperative = 0;
    CUDA(cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributeCooperative, &value));
    CHECK(value.cooperative == 1);
    CHECK(cudaGraphDebugDotPrint(graph, "/nosuch/graph.dot", 0) == cudaErrorOperatingSystem);
    CUDA(cudaGraphDebugDotPrint(graph, "/dev/null", 0));
    cudaStreamAttrValue hint = {}, given = {};
    hint.accessPolicyWindow.num_bytes = 4096;
    CUDA(cudaStreamSetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &hint));
    CUDA(cudaStreamGetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &given));
    CHECK(given.accessPolicyWindow.num_bytes == 4096);
    (void)cudaGetLastError();
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaFree(a));
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
    CUDA(cudaDeviceSynchronize());
    CHECK(host[0] == 60);
    CUDA(cudaGraphNodeSetEnabled(exec, first, 0));
    CUDA(cudaGraphLaunch(exec, 0));
    CUDA(cudaDeviceSynchronize());
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
    CUDA(cudaDeviceSynchronize());
    CHECK(host[0] == 42);
    CUDA(cudaGraphExecDestroy(nested));
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(outer));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaFree(data));
}

int main()
{
    asked();
    captured();
    built();
    if (failures == 0)
        std::printf("PASS graphs\n");
    return failures != 0;
}
