// Shortest paths between all pairs of 64 vertices: one launch for each vertex on the way.
//
// Shows many dependent launches, integer minimum, and saturation by hand instead of overflow.
#include "verify.h"

const int n = 64, far = 1 << 28;

__global__ void relax(int *distance, int k)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    int through = distance[i * n + k] + distance[k * n + j];
    distance[i * n + j] = min(distance[i * n + j], through);
}

int main()
{
    verify::Program program("floyd_warshall");
    std::vector<uint32_t> words = verify::random_words(n * n, 1);
    std::vector<int> distance(n * n, far);
    for (int i = 0; i < n * n; i++)
        if (words[i] % 16 == 0)
            distance[i] = (int)(words[i] >> 8 & 1023) + 1;
    for (int i = 0; i < n; i++)
        distance[i * n + i] = 0;
    verify::Buffer<int> device(distance);
    for (int k = 0; k < n; k++) {
        relax<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(device.data, k);
        program.launched("relax");
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                distance[i * n + j] =
                    std::min(distance[i * n + j], distance[i * n + k] + distance[k * n + j]);
    }
    program.equal("distance", program.output("distance", device), distance);
    return program.finish();
}
