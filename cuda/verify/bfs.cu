// Breadth-first search from vertex 0, one launch per level, with a queue of the next vertices.
//
// Shows atomicCAS to claim a vertex, a queue filled through an atomic counter, and work that
// depends on the data. The queue's order is not fixed; the levels are.
#include "sparse.h"

struct Graph {
    const int *start, *column;
};

__global__ void bfs_level(Graph graph, int level, const int *queue, int length, int *levels,
                          int *next, int *next_length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length)
        return;
    int vertex = queue[i];
    for (int k = graph.start[vertex]; k < graph.start[vertex + 1]; k++) {
        int neighbour = graph.column[k];
        if (levels[neighbour] == -1 && atomicCAS(&levels[neighbour], -1, level) == -1)
            next[atomicAdd(next_length, 1)] = neighbour;
    }
}

static std::vector<int> search(const Sparse &graph)
{
    std::vector<int> levels(graph.rows, -1), queue{0};
    levels[0] = 0;
    for (size_t i = 0; i < queue.size(); i++)
        for (int k = graph.start[queue[i]]; k < graph.start[queue[i] + 1]; k++)
            if (levels[graph.column[k]] == -1) {
                levels[graph.column[k]] = levels[queue[i]] + 1;
                queue.push_back(graph.column[k]);
            }
    return levels;
}

int main()
{
    verify::Program program("bfs");
    Sparse matrix = sparse_random(12000, 6, 5);
    verify::Buffer<int> start(matrix.start), column(matrix.column), length(1);
    std::vector<int> unseen(matrix.rows, -1);
    unseen[0] = 0;
    verify::Buffer<int> levels(unseen), queue_a(matrix.rows), queue_b(matrix.rows);
    int *queue = queue_a.data, *next = queue_b.data, count = 1;
    Graph graph = {start.data, column.data};
    for (int level = 1; count > 0; level++) {
        length.write({0});
        bfs_level<<<(count + 127) / 128, 128>>>(graph, level, queue, count, levels.data, next,
                                                length.data);
        program.launched("bfs_level");
        program.output("levels", levels);
        count = length.read()[0];
        std::swap(queue, next);
    }
    program.equal("level", levels.read(), search(matrix));
    return program.finish();
}
