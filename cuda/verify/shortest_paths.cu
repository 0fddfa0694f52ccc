// Shortest paths from vertex 0 in a graph with weights (Bellman and Ford): five launches, in each
// of which a warp relaxes the edges of a vertex that has been reached.
//
// Shows atomic minima at scattered places, and warps that have nothing to do.
#include "sparse.h"

__global__ void relax(int n, const int *start, const int *target, const int *weight,
                      const unsigned *from, unsigned *to)
{
    int vertex = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (vertex >= n || from[vertex] == ~0u)
        return;
    for (int k = start[vertex] + lane; k < start[vertex + 1]; k += 32)
        atomicMin(&to[target[k]], from[vertex] + (unsigned)weight[k]);
}

int main()
{
    const int n = 8000;
    verify::Program program("shortest_paths");
    Sparse graph = sparse_random(n, 8, 5);
    std::vector<int> weight;
    for (size_t k = 0; k < graph.column.size(); k++)
        weight.push_back((int)(verify::random_word(8, (uint32_t)k) % 1000 + 1));
    std::vector<unsigned> distance(n, ~0u);
    distance[0] = 0;
    verify::Buffer<int> start(graph.start), target(graph.column), device_weight(weight);
    verify::Buffer<unsigned> a(distance), b(distance), *from = &a, *to = &b;
    for (int round = 0; round < 5; round++) {
        relax<<<(n + 3) / 4, 128>>>(n, start.data, target.data, device_weight.data, from->data,
                                    to->data);
        program.launched("relax");
        std::vector<unsigned> next = distance;
        for (int v = 0; v < n; v++)
            for (int k = graph.start[v]; distance[v] != ~0u && k < graph.start[v + 1]; k++)
                next[graph.column[k]] =
                    std::min(next[graph.column[k]], distance[v] + (unsigned)weight[k]);
        distance = next;
        program.equal("distance", program.output("distances", *to), distance);
        from->write(distance);
    }
    return program.finish();
}
