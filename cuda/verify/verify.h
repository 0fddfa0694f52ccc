// What every program of this folder shares: inputs, buffers, comparing, and what is printed.
//
// A program prints
//     hash LAUNCH BUFFER FNV1A64 BYTES      for a result that must be the same bit for bit
//     hash-approx LAUNCH BUFFER SUM BYTES   for one that depends on the order of float atomics
//     PASS NAME | FAIL NAME: reason
// and ends with status 0 or 1. LAUNCH counts kernel launches from 0. With VERIFY_DUMP=DIR in the
// environment the buffers are also written to DIR/NAME.LAUNCH.BUFFER.bin. VERIFY_SIZE=N makes the
// problem N times larger where a program asks size().
#ifndef CUDA_VERIFY_VERIFY_H
#define CUDA_VERIFY_VERIFY_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace verify
{

/// Ends the program with a FAIL line if `error` says that a call failed. `what` names the call.
inline void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::printf("FAIL %s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

/// How many times larger than usual the problem is to be: $VERIFY_SIZE, 1 without it. Only what the
/// host chooses follows it, so that the machine code is the same for all sizes.
inline int size()
{
    const char *text = std::getenv("VERIFY_SIZE");
    char *end = nullptr;
    long n = text ? std::strtol(text, &end, 10) : 1;
    if (text && (*end != '\0' || n < 1 || n > 1000)) {
        std::printf("FAIL VERIFY_SIZE: 1 to 1000 is expected, found '%s'\n", text);
        std::exit(1);
    }
    return (int)n;
}

/// The `i`-th random word of stream `seed`: the same on every machine, in any order of asking.
__host__ __device__ inline uint32_t random_word(uint32_t seed, uint32_t i)
{
    uint32_t x = i * 0x9e3779b9u + seed * 0x85ebca6bu + 0x27220a95u;
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

/// A float in [0, 1) with 24 random bits.
__host__ __device__ inline float random_unit(uint32_t seed, uint32_t i)
{
    return (float)(random_word(seed, i) >> 8) * (1.0f / 16777216.0f);
}

/// `n` random floats from low (included) to high (excluded, but for rounding).
inline std::vector<float> random_floats(size_t n, uint32_t seed, float low = -1.0f,
                                        float high = 1.0f)
{
    std::vector<float> values(n);
    for (size_t i = 0; i < n; i++)
        values[i] = low + (high - low) * random_unit(seed, (uint32_t)i);
    return values;
}

/// `n` random integers from 0 to below - 1; below = 0 stands for 2^32.
inline std::vector<uint32_t> random_words(size_t n, uint32_t seed, uint32_t below = 0)
{
    std::vector<uint32_t> values(n);
    for (size_t i = 0; i < n; i++) {
        uint32_t word = random_word(seed, (uint32_t)i);
        values[i] = below ? word % below : word;
    }
    return values;
}

/// `n` values in the memory of the GPU; freed with the object.
template <typename T> struct Buffer {
    T *data = nullptr;
    size_t count;

    /// All bytes zero.
    explicit Buffer(size_t n) : count(n)
    {
        must(cudaMalloc((void **)&data, n * sizeof(T)), "cudaMalloc");
        must(cudaMemset(data, 0, n * sizeof(T)), "cudaMemset");
    }

    /// A copy of `values`.
    explicit Buffer(const std::vector<T> &values) : Buffer(values.size())
    {
        write(values);
    }

    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;

    ~Buffer()
    {
        cudaFree(data);
    }

    /// Replaces the first values.size() values.
    void write(const std::vector<T> &values)
    {
        must(cudaMemcpy(data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
             "cudaMemcpy to the GPU");
    }

    std::vector<T> read() const
    {
        std::vector<T> values(count);
        must(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost),
             "cudaMemcpy from the GPU");
        return values;
    }
};

/// One program: counts launches, prints hashes, collects the verdict.
struct Program {
    const char *name;
    int launches = 0;
    std::string failure; // the first one; empty while all is well

    explicit Program(const char *program_name) : name(program_name)
    {
    }

    /// To be called after every launch: waits for it, and ends the program if it failed.
    void launched(const char *kernel)
    {
        must(cudaGetLastError(), kernel);
        must(cudaDeviceSynchronize(), kernel);
        launches++;
    }

    /// Reads a result of the last launch, prints its hash and dumps it if asked to.
    template <typename T> std::vector<T> output(const char *buffer, const Buffer<T> &from)
    {
        std::vector<T> values = from.read();
        size_t bytes = values.size() * sizeof(T);
        std::printf("hash %d %s %016llx %zu\n", launches - 1, buffer,
                    (unsigned long long)fnv1a64(values.data(), bytes), bytes);
        dump(buffer, values.data(), bytes);
        return values;
    }

    /// As output(), for floats that depend on the order in which atomics happened.
    template <typename T> std::vector<T> output_approx(const char *buffer, const Buffer<T> &from)
    {
        std::vector<T> values = from.read();
        double sum = 0.0;
        for (const T &value : values)
            sum += (double)value;
        std::printf("hash-approx %d %s %.9g %zu\n", launches - 1, buffer, sum,
                    values.size() * sizeof(T));
        dump(buffer, values.data(), values.size() * sizeof(T));
        return values;
    }

    /// The result must be equal, element by element. For integers, and floats known exactly.
    template <typename T>
    void equal(const char *what, const std::vector<T> &got, const std::vector<T> &want)
    {
        if (got.size() != want.size())
            return fail(what, 0, (double)got.size(), (double)want.size());
        for (size_t i = 0; i < got.size(); i++)
            if (!(got[i] == want[i]))
                return fail(what, i, (double)got[i], (double)want[i]);
    }

    /// |got - want| must be at most absolute + relative * |want|. A NaN never is.
    template <typename T, typename U>
    void close(const char *what, const std::vector<T> &got, const std::vector<U> &want,
               double relative, double absolute)
    {
        if (got.size() != want.size())
            return fail(what, 0, (double)got.size(), (double)want.size());
        for (size_t i = 0; i < got.size(); i++) {
            double difference = std::fabs((double)got[i] - (double)want[i]);
            if (!(difference <= absolute + relative * std::fabs((double)want[i])))
                return fail(what, i, (double)got[i], (double)want[i]);
        }
    }

    /// A condition that must hold.
    void holds(const char *what, bool condition)
    {
        if (!condition && failure.empty())
            failure = std::string(what) + " does not hold";
    }

    /// Prints the verdict; the exit status.
    int finish() const
    {
        if (failure.empty())
            std::printf("PASS %s\n", name);
        else
            std::printf("FAIL %s: %s\n", name, failure.c_str());
        return failure.empty() ? 0 : 1;
    }

    static uint64_t fnv1a64(const void *bytes, size_t count)
    {
        uint64_t hash = 0xcbf29ce484222325u;
        for (size_t i = 0; i < count; i++)
            hash = (hash ^ static_cast<const unsigned char *>(bytes)[i]) * 0x100000001b3u;
        return hash;
    }

  private:
    void fail(const char *what, size_t i, double got, double want)
    {
        char line[200];
        std::snprintf(line, sizeof line, "%s[%zu] is %.9g, should be %.9g", what, i, got, want);
        if (failure.empty())
            failure = line;
    }

    void dump(const char *buffer, const void *bytes, size_t count) const
    {
        const char *folder = std::getenv("VERIFY_DUMP");
        if (!folder || !*folder)
            return;
        std::string path = std::string(folder) + "/" + name + "." + std::to_string(launches - 1) +
                           "." + buffer + ".bin";
        std::FILE *file = std::fopen(path.c_str(), "wb");
        bool good = file && std::fwrite(bytes, 1, count, file) == count;
        if (file && std::fclose(file) != 0)
            good = false;
        if (!good) {
            std::printf("FAIL %s: cannot write %s\n", name, path.c_str());
            std::exit(1);
        }
    }
};

} // namespace verify

#endif
