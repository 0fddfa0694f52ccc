// Two rounds of PageRank on a graph of 30000 vertices: each thread gathers the ranks of the
// vertices that point to its own. Ranks are whole numbers, so that the result is exact.
//
// Shows gathers through lists of neighbours of very different length, and an integer division each.
#include "sparse.h"

__global__ void page_rank(int n, const int *start, const int *source, const uint32_t *share,
                          const int *degree, uint32_t *next)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint32_t sum = 150;
    for (int k = start[i]; k < start[i + 1]; k++)
        sum += share[source[k]] * 17 / 20;
    next[i] = sum / (uint32_t)max(degree[i], 1);
}

int main()
{
    const int n = 30000;
    verify::Program program("page_rank");
    Sparse graph = sparse_random(n, 10, 3);
    std::vector<int> degree(n, 0);
    for (int source : graph.column)
        degree[source]++;
    std::vector<uint32_t> share, next(n);
    for (int i = 0; i < n; i++)
        share.push_back(100000 / (uint32_t)std::max(degree[i], 1));
    verify::Buffer<int> start(graph.start), source(graph.column), device_degree(degree);
    verify::Buffer<uint32_t> a(share), b(n), *from = &a, *to = &b;
    for (int round = 0; round < 2; round++) {
        page_rank<<<(n + 127) / 128, 128>>>(n, start.data, source.data, from->data,
                                            device_degree.data, to->data);
        program.launched("page_rank");
        std::swap(from, to);
        for (int i = 0; i < n; i++) {
            uint32_t sum = 150;
            for (int k = graph.start[i]; k < graph.start[i + 1]; k++)
                sum += share[graph.column[k]] * 17 / 20;
            next[i] = sum / (uint32_t)std::max(degree[i], 1);
        }
        share.swap(next);
        program.equal("rank", program.output("ranks", *from), share);
    }
    return program.finish();
}
