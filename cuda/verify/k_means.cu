// Two rounds of k-means with 16 centres for 40000 points of the plane: the nearest centre of each
// point, then sums of each cluster in shared memory and with atomics in global memory.
//
// Shows centres that all threads read in turn, and atomics on few words in shared memory.
// Coordinates are whole numbers, so that sums are exact.
#include "verify.h"

const int centres = 16;

__host__ __device__ inline int nearest(int x, int y, const int *cx, const int *cy)
{
    int best = 0, least = 0x7fffffff;
    for (int c = 0; c < centres; c++) {
        int dx = x - cx[c], dy = y - cy[c], distance = dx * dx + dy * dy;
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    return best;
}

__global__ void k_means(const int *x, const int *y, int n, const int *centre, int *sums)
{
    __shared__ int cx[centres], cy[centres], sum[3 * centres];
    for (int k = threadIdx.x; k < 3 * centres; k += blockDim.x)
        sum[k] = 0;
    if (threadIdx.x < centres) {
        cx[threadIdx.x] = centre[threadIdx.x];
        cy[threadIdx.x] = centre[centres + threadIdx.x];
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int c = nearest(x[i], y[i], cx, cy);
        atomicAdd(&sum[c], x[i]);
        atomicAdd(&sum[centres + c], y[i]);
        atomicAdd(&sum[2 * centres + c], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 3 * centres; k += blockDim.x)
        atomicAdd(&sums[k], sum[k]);
}

int main()
{
    const int n = 40000;
    verify::Program program("k_means");
    std::vector<int> x, y, centre(2 * centres);
    for (int i = 0; i < n; i++) {
        x.push_back((int)(verify::random_word(1, i) % 1000 + i % 5 * 900));
        y.push_back((int)(verify::random_word(2, i) % 1000 + i % 3 * 800));
    }
    for (int c = 0; c < centres; c++)
        centre[c] = x[c * 37], centre[centres + c] = y[c * 37];
    verify::Buffer<int> device_x(x), device_y(y), device_centre(centre);
    for (int round = 0; round < 2; round++) {
        verify::Buffer<int> sums(3 * centres);
        device_centre.write(centre);
        k_means<<<132, 128>>>(device_x.data, device_y.data, n, device_centre.data, sums.data);
        program.launched("k_means");
        std::vector<int> want(3 * centres, 0), got = program.output("sums", sums);
        for (int i = 0; i < n; i++) {
            int c = nearest(x[i], y[i], &centre[0], &centre[centres]);
            want[c] += x[i], want[centres + c] += y[i], want[2 * centres + c]++;
        }
        program.equal("sum", got, want);
        for (int c = 0; c < centres; c++) {
            centre[c] = want[c] / std::max(want[2 * centres + c], 1);
            centre[centres + c] = want[centres + c] / std::max(want[2 * centres + c], 1);
        }
    }
    return program.finish();
}
