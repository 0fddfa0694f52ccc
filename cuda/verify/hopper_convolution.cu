// A convolution of images (NHWC, 3 x 3 filters, border of zeros, steps of one and of two pixels) as
// a matrix product: pixels times filters, summed over the nine places of a filter and all channels.
// Shows tensor copies that gather the pixels under one place of the filter (im2col) and fill what
// lies outside of the image, also behind the last image, with zeros.
#include "hopper.h"

#include <cuda_fp16.h>

const int channels = 128, filters = 128, places = 9;
const int tile = 128, width = 64; // pixels of a block; channels at a time
const int parts = places * channels / width;
const int groups = 2, consumers = groups * 128, threads = consumers + 32;
const int stages = 4;
const uint32_t row_bytes = width * sizeof(__half);
const uint32_t pixels_bytes = tile * row_bytes, stage_bytes = (tile + filters) * row_bytes;
const uint32_t shared_bytes = 1024 + stages * stage_bytes + 2 * stages * 8;

struct Shape {
    int images, rows, columns, step; // of the input; pixels from one output to the next

    __host__ __device__ int out_rows() const
    {
        return (rows - 1) / step + 1;
    }
    __host__ __device__ int out_columns() const
    {
        return (columns - 1) / step + 1;
    }
    __host__ __device__ int pixels() const
    {
        return images * out_rows() * out_columns();
    }
};

/// Brings `tile` pixels, the first of which is displaced by (right, down) from (x, y) of an image.
__device__ __forceinline__ void gather(uint32_t to, const CUtensorMap &map, uint32_t barrier,
                                       int channel, int x, int y, int image, int right, int down)
{
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col"
        ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};" ::"r"(to),
        "l"(&map), "r"(barrier), "r"(channel), "r"(x), "r"(y), "r"(image), "h"((uint16_t)right),
        "h"((uint16_t)down)
        : "memory");
}

__global__ void __launch_bounds__(threads)
    convolution(const __grid_constant__ CUtensorMap images, const __grid_constant__ CUtensorMap by,
                float *out, Shape shape)
{
    extern __shared__ uint8_t shared[];
    const uint32_t base = (shared_address(shared) + 1023) & ~1023u;
    const uint32_t full = base + stages * stage_bytes, empty = full + stages * 8;
    const int pixel = blockIdx.x * tile;
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; i++) {
            hopper::init(full + i * 8, 1);
            hopper::init(empty + i * 8, consumers / 32);
        }
        hopper::fence_init();
    }
    __syncthreads();
    if (threadIdx.x >= consumers) {
        if (threadIdx.x > consumers)
            return;
        const int column = pixel % shape.out_columns(), row = pixel / shape.out_columns();
        const int x = column * shape.step - 1, y = row % shape.out_rows() * shape.step - 1;
        for (int i = 0; i < parts; i++) {
            const int slot = i % stages;
            const int place = i / (channels / width), channel = i % (channels / width) * width;
            const uint32_t to = base + slot * stage_bytes, barrier = full + slot * 8;
            if (i >= stages)
                await(empty + slot * 8, (i / stages + 1) & 1);
            expect(barrier, stage_bytes);
            gather(to, images, barrier, channel, x, y, row / shape.out_rows(), place % 3,
                   place / 3);
            hopper::load(to + pixels_bytes, by, barrier, channel, 0, place);
        }
        return;
    }

    const int first = threadIdx.x / 128 * 64; // the group's first pixel in the tile
    uint32_t d[64] = {};
    for (int i = 0; i < parts; i++) {
        const uint32_t slot = i % stages, at = base + slot * stage_bytes;
        await(full + slot * 8, (i / stages) & 1);
        hopper::multiply<hopper::F16_128>(d, at + first * row_bytes, at + pixels_bytes, true);
        hopper::product_wait<1>();
        __syncwarp();
        if (i > 0 && threadIdx.x % 32 == 0)
            hopper::arrive(empty + (i - 1) % stages * 8);
    }
    hopper::product_wait<0>();
#pragma unroll
    for (int i = 0; i < 64; i++)
        asm volatile("" : "+r"(d[i])::"memory");
#pragma unroll
    for (int i = 0; i < 64; i += 2) {
        const int mine = pixel + first + hopper::row_of(i);
        if (mine < shape.pixels())
            *(float2 *)&out[mine * filters + hopper::column_of(i)] = {__uint_as_float(d[i]),
                                                                      __uint_as_float(d[i + 1])};
    }
}

static CUtensorMap map_images(const __half *data, const Shape &shape)
{
    static decltype(&cuTensorMapEncodeIm2col) encode = nullptr;
    cudaDriverEntryPointQueryResult found;
    verify::must(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", (void **)&encode,
                                                  12000, cudaEnableDefault, &found),
                 "cudaGetDriverEntryPointByVersion");
    const cuuint64_t sizes[] = {channels, (cuuint64_t)shape.columns, (cuuint64_t)shape.rows,
                                (cuuint64_t)shape.images};
    const cuuint64_t bytes = channels * sizeof(__half);
    const cuuint64_t strides[] = {bytes, bytes * shape.columns, bytes * shape.columns * shape.rows};
    // where the filter's upper left corner may be: from there, and up to there, from the last pixel
    const int lower[] = {-1, -1}, upper[] = {-1, -1};
    const cuuint32_t steps[] = {1, (cuuint32_t)shape.step, (cuuint32_t)shape.step, 1};
    CUtensorMap map;
    if (!encode ||
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, const_cast<__half *>(data), sizes, strides,
               lower, upper, width, tile, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        verify::must(cudaErrorInvalidValue, "cuTensorMapEncodeIm2col");
    return map;
}

/// Small integers: their products and sums are exact.
static std::vector<__half> small(size_t n, uint32_t seed, std::vector<float> &floats)
{
    std::vector<__half> halves(n);
    floats.resize(n);
    for (size_t i = 0; i < n; i++) {
        floats[i] = (float)(verify::random_word(seed, (uint32_t)i) % 9) - 4.0f;
        halves[i] = __float2half(floats[i]);
    }
    return halves;
}

/// `by`: place, channel, filter.
static std::vector<float> reference(const std::vector<float> &in, const std::vector<float> &by,
                                    const Shape &shape)
{
    std::vector<float> out((size_t)shape.pixels() * filters, 0.0f);
    float *to = out.data();
    for (int pixel = 0; pixel < shape.pixels(); pixel++, to += filters)
        for (int place = 0; place < places; place++) {
            const int row = pixel / shape.out_columns();
            const int x = pixel % shape.out_columns() * shape.step + place % 3 - 1;
            const int y = row % shape.out_rows() * shape.step + place / 3 - 1;
            if (x < 0 || x >= shape.columns || y < 0 || y >= shape.rows)
                continue;
            const size_t image = row / shape.out_rows();
            const float *from = &in[((image * shape.rows + y) * shape.columns + x) * channels];
            const float *filter = &by[place * channels * filters];
            for (int c = 0; c < channels; c++, filter += filters)
                for (int f = 0; f < filters; f++)
                    to[f] += from[c] * filter[f];
        }
    return out;
}

int main()
{
    Shape shape = {6 * verify::size(), 40, 50, 1};
    verify::Program program("hopper_convolution");
    std::vector<float> in, by, turned(places * channels * filters);
    const size_t n = (size_t)shape.images * shape.rows * shape.columns * channels;
    verify::Buffer<__half> device_in(small(n, 1, in));
    verify::Buffer<__half> device_by(small(turned.size(), 2, by)); // place, filter, channel
    for (int place = 0; place < places; place++)
        for (int f = 0; f < filters; f++)
            for (int c = 0; c < channels; c++)
                turned[(place * channels + c) * filters + f] =
                    by[(place * filters + f) * channels + c];
    const CUtensorMap map_by = hopper::tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, device_by.data,
                                                  {channels, filters, places}, {width, filters, 1});
    hopper::allow_shared(convolution, shared_bytes);
    for (shape.step = 1; shape.step <= 2; shape.step++) {
        verify::Buffer<float> out((size_t)shape.pixels() * filters);
        convolution<<<(shape.pixels() + tile - 1) / tile, threads, shared_bytes>>>(
            map_images(device_in.data, shape), map_by, out.data, shape);
        program.launched("convolution");
        program.equal(shape.step == 1 ? "out" : "out of two steps",
                      program.output(shape.step == 1 ? "steps_of_1" : "steps_of_2", out),
                      reference(in, turned, shape));
    }
    return program.finish();
}
