// Two chains of short kernels, each of which works on what the one before has written: layers of a
// network in integers (y = f(W x), a warp for each row of W), and steps of a stencil to and fro
// between two buffers. Shows programmatic dependent launches: a kernel may start when all blocks of
// the one before have let it, loads what does not depend on the others (its W, its table), and then
// waits for their end.
#include "verify.h"

const int block = 256, side = 2048; // threads; W is side x side
const int layers = 4, steps = 5;
const int each = side / 128; // uint4 of a lane

__host__ __device__ inline unsigned activate(unsigned x)
{
    return x ^ x >> 15;
}

__global__ void __launch_bounds__(block) layer(const uint4 *weights, const uint4 *in, unsigned *out)
{
    const int row = blockIdx.x * (block / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    uint4 w[each];
#pragma unroll
    for (int i = 0; i < each; i++)
        w[i] = __ldcs(&weights[row * (side / 4) + i * 32 + lane]);
    cudaTriggerProgrammaticLaunchCompletion(); // the next layer may load its weights
    cudaGridDependencySynchronize();           // from here on `in` is there
    unsigned sum = 0;
#pragma unroll
    for (int i = 0; i < each; i++) {
        const uint4 x = in[i * 32 + lane];
        sum += w[i].x * x.x + w[i].y * x.y + w[i].z * x.z + w[i].w * x.w;
    }
    sum = __reduce_add_sync(0xffffffffu, sum);
    if (lane == 0)
        out[row] = activate(sum);
}

const int table_size = 1024;

/// What a step makes of a value and its neighbours: by a table that differs from step to step.
__host__ __device__ inline unsigned changed(const unsigned *table, unsigned left, unsigned middle,
                                            unsigned right)
{
    return table[(left ^ middle >> 3) % table_size] + middle * 5 + (right >> 1);
}

__global__ void __launch_bounds__(block)
    step(const unsigned *seeds, int number, const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned table[table_size];
    for (int i = threadIdx.x; i < table_size; i += block)
        table[i] = seeds[i] * (2 * number + 1);
    __syncthreads();
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion(); // the next step may make its table
    for (int i = blockIdx.x * block + threadIdx.x; i < n; i += gridDim.x * block)
        out[i] = changed(table, in[i == 0 ? n - 1 : i - 1], in[i], in[i == n - 1 ? 0 : i + 1]);
}

/// Launches the next kernel of a chain: it may begin before the one before has ended.
template <typename... Parameters, typename... Arguments>
static void launch(void (*kernel)(Parameters...), int blocks, cudaStream_t stream,
                   Arguments... arguments)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = block;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    verify::must(cudaLaunchKernelEx(&config, kernel, arguments...), "cudaLaunchKernelEx");
}

int main()
{
    const int n = 1000000 * verify::size(), blocks = 264;
    verify::Program program("hopper_pdl");
    cudaStream_t stream;
    verify::must(cudaStreamCreate(&stream), "cudaStreamCreate");

    std::vector<uint32_t> weights = verify::random_words((size_t)layers * side * side, 1);
    std::vector<uint32_t> x = verify::random_words(side, 2);
    verify::Buffer<unsigned> device_weights(weights), x0(x), x1(side);
    unsigned *const xs[] = {x0.data, x1.data};
    verify::must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    for (int l = 0; l < layers; l++)
        launch(layer, side * 32 / block, stream,
               (const uint4 *)(device_weights.data + (size_t)l * side * side),
               (const uint4 *)xs[l % 2], xs[(l + 1) % 2]);
    program.launches += layers - 1;
    program.launched("layer");
    for (int l = 0; l < layers; l++) {
        std::vector<uint32_t> y(side);
        for (int r = 0; r < side; r++) {
            const uint32_t *w = &weights[((size_t)l * side + r) * side];
            uint32_t sum = 0;
            for (int c = 0; c < side; c++)
                sum += w[c] * x[c];
            y[r] = activate(sum);
        }
        x = y;
    }
    program.equal("layers", program.output("layers", layers % 2 ? x1 : x0), x);

    std::vector<uint32_t> seeds = verify::random_words(table_size, 3);
    std::vector<uint32_t> a = verify::random_words(n, 4), b(n);
    verify::Buffer<unsigned> device_seeds(seeds), a0(a), a1(n);
    unsigned *const as[] = {a0.data, a1.data};
    verify::must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    for (int s = 0; s < steps; s++)
        launch(step, blocks, stream, (const unsigned *)device_seeds.data, s,
               (const unsigned *)as[s % 2], as[(s + 1) % 2], n);
    program.launches += steps - 1;
    program.launched("step");
    for (int s = 0; s < steps; s++) {
        std::vector<uint32_t> table(table_size);
        for (int i = 0; i < table_size; i++)
            table[i] = seeds[i] * (2 * s + 1);
        for (int i = 0; i < n; i++)
            b[i] =
                changed(table.data(), a[i == 0 ? n - 1 : i - 1], a[i], a[i == n - 1 ? 0 : i + 1]);
        std::swap(a, b);
    }
    program.equal("steps", program.output("steps", steps % 2 ? a1 : a0), a);
    cudaStreamDestroy(stream);
    return program.finish();
}
