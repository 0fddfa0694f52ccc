// Kernels that Triton has compiled (hopper_triton.py), launched as programs in C++ can: cubins are
// part of the program and loaded as libraries. Shows what Triton makes of products and copies for
// compute capability 9.0: wgmma on tiles that cp.async or TMA has brought, tensor descriptors that
// the kernel itself writes, and warps that only copy, with registers that change hands.
#include "verify.h"

#include <cuda_fp16.h>

/// A kernel, and how Triton wants it to be launched.
struct Compiled {
    const unsigned char *cubin;
    const char *symbol;
    int warps, shared_bytes, scratch_bytes; // scratch: of a block, in global memory
};

#include "kernels.h"

/// Launches `kernel` with the addresses of its arguments; Triton adds two, for scratch memory.
static void launch(const Compiled &kernel, dim3 grid, std::vector<void *> arguments)
{
    cudaLibrary_t library;
    cudaKernel_t function;
    verify::must(
        cudaLibraryLoadData(&library, kernel.cubin, nullptr, nullptr, 0, nullptr, nullptr, 0),
        "cudaLibraryLoadData");
    verify::must(cudaLibraryGetKernel(&function, library, kernel.symbol), "cudaLibraryGetKernel");
    verify::must(cudaFuncSetAttribute((const void *)function,
                                      cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      kernel.shared_bytes),
                 "cudaFuncSetAttribute");
    const size_t blocks = (size_t)grid.x * grid.y;
    verify::Buffer<char> scratch(blocks * kernel.scratch_bytes + 1);
    void *const at = scratch.data, *const of_profiles = nullptr;
    arguments.push_back((void *)&at);
    arguments.push_back((void *)&of_profiles);
    verify::must(cudaLaunchKernel((const void *)function, grid, dim3(32 * kernel.warps),
                                  arguments.data(), kernel.shared_bytes, 0),
                 kernel.symbol);
    verify::must(cudaDeviceSynchronize(), kernel.symbol);
    verify::must(cudaLibraryUnload(library), "cudaLibraryUnload");
}

static std::vector<__half> halves(size_t n, uint32_t seed)
{
    std::vector<__half> values(n);
    const std::vector<float> floats = verify::random_floats(n, seed, -2.0f, 2.0f);
    for (size_t i = 0; i < n; i++)
        values[i] = __float2half(floats[i]);
    return values;
}

static void softmaxes(verify::Program &program)
{
    int rows = 823 * verify::size(), columns = 781, stride = 784;
    const std::vector<float> x = verify::random_floats((size_t)rows * stride, 1, -4.0f, 4.0f);
    std::vector<double> want(x.size());
    for (int row = 0; row < rows; row++) {
        const float *in = &x[(size_t)row * stride];
        double total = 0.0;
        for (int i = 0; i < columns; i++)
            total += std::exp((double)in[i]);
        for (int i = 0; i < columns; i++)
            want[(size_t)row * stride + i] = std::exp((double)in[i]) / total;
    }
    verify::Buffer<float> from(x), to(x.size());
    launch(softmax, dim3(rows), {&to.data, &from.data, &columns, &stride});
    program.launched("softmax");
    program.close("softmax", program.output("softmax", to), want, 1e-5, 1e-9);
}

/// C = A B^T, four times.
static void products(verify::Program &program)
{
    int m = 1280 * verify::size(), n = 1536, k = 512;
    const std::vector<__half> left = halves((size_t)m * k, 2), right = halves((size_t)n * k, 3);
    std::vector<double> want((size_t)m * n);
    std::vector<float> x(left.begin(), left.end()), y(right.begin(), right.end());
    for (int row = 0; row < m; row++)
        for (int column = 0; column < n; column++) {
            float sum = 0.0f; // 512 products of 22 bits: off by less than a half's last bit
            for (int i = 0; i < k; i++)
                sum += x[(size_t)row * k + i] * y[(size_t)column * k + i];
            want[(size_t)row * n + column] = sum;
        }
    verify::Buffer<__half> a(left), b(right), c((size_t)m * n);
    auto multiply = [&](const char *name, const Compiled &kernel, dim3 grid) {
        launch(kernel, grid, {&a.data, &b.data, &c.data, &m, &n, &k});
        program.launched(name);
        program.close(name, program.output(name, c), want, 1e-3, 1e-2);
        verify::must(cudaMemset(c.data, 0, c.count * sizeof(__half)), "cudaMemset");
    };
    cudaDeviceProp gpu;
    verify::must(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
    multiply("matmul", matmul, dim3(m / 128, n / 128));
    multiply("matmul_8", matmul_8, dim3(m / 128, n / 256));
    multiply("matmul_described", matmul_described, dim3(m / 128, n / 128));
    multiply("matmul_specialised", matmul_specialised, dim3(gpu.multiProcessorCount));
}

/// softmax(Q K^T / 8) V of one head.
static void attend(const __half *q, const __half *k, const __half *v, int n, bool causal,
                   double *out)
{
    const int dim = 64;
    std::vector<double> weight(n);
    for (int i = 0; i < n; i++) {
        const int keys = causal ? i + 1 : n;
        double total = 0.0;
        for (int j = 0; j < keys; j++) {
            double score = 0.0;
            for (int e = 0; e < dim; e++)
                score += (double)__half2float(q[i * dim + e]) * __half2float(k[j * dim + e]);
            total += weight[j] = std::exp(score / 8.0);
        }
        for (int j = 0; j < keys; j++)
            for (int e = 0; e < dim; e++)
                out[i * dim + e] += weight[j] / total * __half2float(v[j * dim + e]);
    }
}

static void attentions(verify::Program &program)
{
    int heads = 44 * verify::size(), n = 384;
    const size_t head = (size_t)n * 64;
    float scale = 1.44269504f / 8.0f; // for powers of two
    const std::vector<__half> q = halves(heads * head, 4), k = halves(heads * head, 5),
                              v = halves(heads * head, 6);
    verify::Buffer<__half> queries(q), keys(k), values(v), out(heads * head);
    for (bool causal : {false, true}) {
        std::vector<double> want(heads * head);
        for (int h = 0; h < heads; h++)
            attend(&q[h * head], &k[h * head], &v[h * head], n, causal, &want[h * head]);
        launch(causal ? attention_causal : attention, dim3(n / 128, heads),
               {&queries.data, &keys.data, &values.data, &out.data, &n, &scale});
        const char *name = causal ? "attention_causal" : "attention";
        program.launched(name);
        program.close(name, program.output(name, out), want, 2e-3, 1e-3);
    }
}

int main()
{
    verify::Program program("hopper_triton");
    softmaxes(program);
    products(program);
    attentions(program);
    return program.finish();
}
