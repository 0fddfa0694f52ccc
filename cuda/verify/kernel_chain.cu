// Five kernels in a row, each reading what the one before wrote: squares, neighbours' sums,
// scaling, transposition, row maxima of a 512 x 512 matrix.
//
// Shows data that stay in L2 from launch to launch, written by other SMs than read them.
#include "verify.h"

const int side = 512, n = side * side;

__global__ void square(const uint32_t *x, uint32_t *y)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    y[i] = x[i] * x[i];
}

__global__ void neighbours(const uint32_t *x, uint32_t *y)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    y[i] = x[i] + x[(i + 1) % n] + x[(i + side) % n];
}

__global__ void scale(const uint32_t *x, uint32_t *y)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    y[i] = x[i] / 7u + 3u;
}

__global__ void turn(const uint32_t *x, uint32_t *y)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    y[i] = x[i % side * side + i / side];
}

__global__ void row_maximum(const uint32_t *x, uint32_t *y)
{
    int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    uint32_t most = 0;
    for (int k = lane; k < side; k += 32)
        most = max(most, x[row * side + k]);
    for (int offset = 16; offset > 0; offset /= 2)
        most = max(most, __shfl_xor_sync(0xffffffffu, most, offset));
    if (lane == 0)
        y[row] = most;
}

int main()
{
    verify::Program program("kernel_chain");
    std::vector<uint32_t> x = verify::random_words(n, 1), y(n), most(side, 0);
    verify::Buffer<uint32_t> a(x), b(n), rows(side);
    square<<<n / 256, 256>>>(a.data, b.data);
    program.launched("square");
    neighbours<<<n / 256, 256>>>(b.data, a.data);
    program.launched("neighbours");
    scale<<<n / 256, 256>>>(a.data, b.data);
    program.launched("scale");
    turn<<<n / 256, 256>>>(b.data, a.data);
    program.launched("turn");
    row_maximum<<<side / 8, 256>>>(a.data, rows.data);
    program.launched("row_maximum");
    for (uint32_t &word : x)
        word *= word;
    for (int i = 0; i < n; i++)
        y[i] = (x[i] + x[(i + 1) % n] + x[(i + side) % n]) / 7u + 3u;
    for (int i = 0; i < n; i++)
        most[i % side] = std::max(most[i % side], y[i]); // rows of the transposed matrix
    program.equal("maximum", program.output("maxima", rows), most);
    return program.finish();
}
