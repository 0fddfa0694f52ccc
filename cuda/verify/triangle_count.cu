// Counts the triangles of a graph of 4000 vertices: for each edge, the neighbours that its two ends
// share, found by walking through both sorted lists.
//
// Shows two lists that are merged by each lane: branches that depend on the data, dependent loads.
#include "sparse.h"

__host__ __device__ inline unsigned shared_neighbours(const int *start, const int *column, int a,
                                                      int b)
{
    unsigned count = 0;
    int i = start[a], j = start[b];
    while (i < start[a + 1] && j < start[b + 1]) {
        int u = column[i], v = column[j];
        count += u == v;
        i += u <= v;
        j += v <= u;
    }
    return count;
}

__global__ void triangle_count(const int *start, const int *column, const int *row, int edges,
                               unsigned *counts)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < edges)
        counts[e] = shared_neighbours(start, column, row[e], column[e]);
}

int main()
{
    verify::Program program("triangle_count");
    Sparse graph = sparse_random(4000, 14, 6);
    std::vector<int> row;
    for (int r = 0; r < graph.rows; r++)
        row.insert(row.end(), graph.start[r + 1] - graph.start[r], r);
    const int edges = (int)row.size();
    verify::Buffer<int> start(graph.start), column(graph.column), device_row(row);
    verify::Buffer<unsigned> counts(edges);
    triangle_count<<<(edges + 127) / 128, 128>>>(start.data, column.data, device_row.data, edges,
                                                 counts.data);
    program.launched("triangle_count");
    std::vector<unsigned> want;
    for (int e = 0; e < edges; e++)
        want.push_back(
            shared_neighbours(graph.start.data(), graph.column.data(), row[e], graph.column[e]));
    program.equal("count", program.output("counts", counts), want);
    return program.finish();
}
