// Connected components of a random graph by union and find with atomicCAS.
//
// Shows pointer chasing, retry loops, and lanes that leave a loop at different times. The smaller
// root always wins, so that the final labels do not depend on the order.
#include "verify.h"

__device__ int find(volatile int *parent, int vertex)
{
    int up = parent[vertex];
    while (up != vertex) {
        int next = parent[up];
        parent[vertex] = next; // halves the path
        vertex = up;
        up = next;
    }
    return vertex;
}

__global__ void unite(int *parent, const int2 *edges, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    int a = find(parent, edges[i].x), b = find(parent, edges[i].y);
    while (a != b) {
        int high = max(a, b), low = min(a, b);
        int seen = atomicCAS(&parent[high], high, low);
        if (seen == high)
            return;
        a = find(parent, seen);
        b = find(parent, low);
    }
}

__global__ void flatten(int *parent, int *labels, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        labels[i] = find(parent, i);
}

static std::vector<int> components(int vertices, const std::vector<int2> &edges)
{
    std::vector<int> label(vertices);
    for (int i = 0; i < vertices; i++)
        label[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (int2 edge : edges) {
            int low = std::min(label[edge.x], label[edge.y]);
            changed |= label[edge.x] != low || label[edge.y] != low;
            label[edge.x] = label[edge.y] = low;
        }
    }
    return label;
}

int main()
{
    const int vertices = 20000 * verify::size(), count = 14000 * verify::size();
    verify::Program program("union_find");
    std::vector<uint32_t> ends = verify::random_words(2 * count, 1, vertices);
    std::vector<int> parents(vertices);
    std::vector<int2> edges;
    for (int i = 0; i < vertices; i++)
        parents[i] = i;
    for (int i = 0; i < count; i++)
        edges.push_back(make_int2((int)ends[2 * i], (int)ends[2 * i + 1]));
    verify::Buffer<int> parent(parents), labels(vertices);
    verify::Buffer<int2> device_edges(edges);

    unite<<<(count + 127) / 128, 128>>>(parent.data, device_edges.data, count);
    program.launched("unite");
    flatten<<<(vertices + 127) / 128, 128>>>(parent.data, labels.data, vertices);
    program.launched("flatten");
    program.equal("label", program.output("labels", labels), components(vertices, edges));
    return program.finish();
}
