// Launches in NVTX ranges of every kind: nested, of domains, started and ended by several threads, with
// wide and registered names, and between cudaProfilerStart and cudaProfilerStop.
#include <cstdio>
#include <thread>

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

__global__ void first(int *data) { data[threadIdx.x] += 1; }
__global__ void second(int *data) { data[threadIdx.x] *= 3; }

static nvtxEventAttributes_t attributes()
{
    nvtxEventAttributes_t event = {};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    return event;
}

int main()
{
    int *data;
    cudaMalloc(&data, 4 * 256);
    first<<<1, 32>>>(data); // 1: outside
    for (int step = 0; step < 2; step++) {
        nvtxRangePushA("step");
        first<<<1, 64>>>(data); // 2, 7: step
        nvtxRangePushW(L"w\u00e9ite \U0001f600");
        second<<<1, 64>>>(data); // 3, 8: step/wéite
        nvtxMarkA("ignored");
        nvtxRangePop();
        std::thread([&] {
            second<<<1, 96>>>(data); // 4, 9: outside, as this thread has no range
        }).join();

        const nvtxDomainHandle_t domain = nvtxDomainCreateA("layers");
        nvtxEventAttributes_t event = attributes();
        event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
        event.message.registered = nvtxDomainRegisterStringA(domain, "mlp");
        nvtxDomainRangePushEx(domain, &event);
        nvtxRangePop(); // ends "step", as the default domain has a stack of its own
        first<<<1, 128>>>(data); // 5, 10: layers:mlp
        nvtxDomainRangePop(domain);
        nvtxRangePop(); // nothing is open

        event.messageType = NVTX_MESSAGE_TYPE_ASCII;
        event.message.ascii = "started";
        const nvtxRangeId_t outer = nvtxRangeStartEx(&event);
        // numbers of calls, as PyTorch writes them, are not part of the name
        const nvtxRangeId_t inner =
            nvtxRangeStartA(step ? "inner, op_id = 7" : "inner, seq = 3, op_id = 2");
        std::thread([&] { nvtxRangeEnd(outer); }).join(); // by another thread, before the inner one
        second<<<1, 128>>>(data); // 6, 11: inner
        nvtxRangeEnd(inner);
    }
    cudaProfilerStart();
    cudaProfilerStart(); // changes nothing
    nvtxRangePushA("a/b, \"quoted\"");
    first<<<1, 160>>>(data); // 12: cudaProfilerStart/a/b, "quoted"
    nvtxRangePop();
    cudaProfilerStop();
    second<<<1, 160>>>(data); // 13: outside
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    printf("%s ranges\n", good ? "PASS" : "FAIL");
    return !good;
}
