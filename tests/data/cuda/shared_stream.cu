/*
 * Threads of the host that submit host functions to one stream and wait for it: while a thread
 * waits for the last work of the stream, another puts new work in its place.
 *
 * Prints PASS shared_stream if each function was called once.
 */
#include <atomic>
#include <cstdio>
#include <cuda_runtime.h>
#include <thread>

enum { THREADS = 4, CALLS = 2000 };

static std::atomic<int> called{0};
static cudaStream_t stream;

static void CUDART_CB note(void *)
{
    called++;
}

static void submit()
{
    for (int i = 0; i < CALLS; i++) {
        cudaLaunchHostFunc(stream, note, nullptr);
        if (i % 100 == 0)
            cudaStreamQuery(stream);
    }
    cudaStreamSynchronize(stream);
}

int main()
{
    std::thread thread[THREADS];
    cudaStreamCreate(&stream);
    for (std::thread &one : thread)
        one = std::thread(submit);
    for (std::thread &one : thread)
        one.join();
    printf(called == THREADS * CALLS ? "PASS shared_stream\n" : "FAIL shared_stream\n");
    return called != THREADS * CALLS;
}
