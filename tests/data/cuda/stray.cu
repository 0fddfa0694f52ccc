/*
 * Accesses outside of allocations, as an H200 answers them: stray WHERE reads 4 bytes at one place
 * and prints the error.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void read(const char *p, int *sink)
{
    *sink = *(const volatile int *)p;
}

int main(int count, char **arguments)
{
    char *first, *large, *next, *above;
    int *sink, found = -1;
    const size_t page = 2 << 20;
    cudaMalloc(&first, 100);
    cudaMalloc(&large, 2 * page);
    cudaMalloc(&next, 100);
    cudaMalloc(&above, 3 * page);
    cudaMallocManaged(&sink, sizeof *sink);
    const struct {
        const char *name;
        const char *at;
    } place[] = {
        {"inside", large},
        {"before-large", large - 4},
        {"before-above", above - 4},
        {"before-small", next - 4},
        {"behind-small", next + 100},
        {"before-first", first - 4},
        {"behind-all", above + 4 * page},
    };
    if ((size_t)first / page != (size_t)next / page || (size_t)next % 512 || (size_t)large % page)
        return 1;
    *sink = 1;
    for (const auto &p : place)
        if (count > 1 && std::strcmp(p.name, arguments[1]) == 0)
            read<<<1, 1>>>(p.at, sink);
    cudaError_t error = cudaDeviceSynchronize();
    found = error == cudaSuccess ? *sink : 0;
    std::printf("%s, %d\n", cudaGetErrorName(error), found);
    return 0;
}
