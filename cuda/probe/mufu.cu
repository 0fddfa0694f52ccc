// Dumps the special function unit: mufu CUBIN DIR
//
// CUBIN is mufu_kernels.cu compiled for this GPU. For each entry of `ranges` it writes DIR/NAME.d2:
// the results of all numbers of a range, as second differences (modulo 2^32; the two results before
// the first count as 0), folded to (d << 1) ^ (d >> 31), in bytes of 7 bits, low ones first, bit 7
// set on all but the last. NAME.raw has results as they are, in little-endian words.
#include "probe.h"

#include <string>

struct Range {
    const char *name, *kernel;
    uint32_t start, count; // bits of the first number; numbers
    bool raw;
};

const uint32_t binade = 1u << 23;

static const Range ranges[] = {
    {"rcp.1", "rcp", 0x3f800000, binade, false},      // 1 to 2
    {"rsq.1", "rsq", 0x3f800000, binade, false},      // 1 to 2
    {"rsq.2", "rsq", 0x40000000, binade, false},      // 2 to 4
    {"sqrt.1", "sqrt_", 0x3f800000, binade, false},   // 1 to 2
    {"sqrt.2", "sqrt_", 0x40000000, binade, false},   // 2 to 4
    {"ex2.half", "ex2", 0x3f000000, binade, false},   // 1/2 to 1
    {"ex2.1", "ex2", 0x3f800000, binade, false},      // 1 to 2
    {"ex2.minus1", "ex2", 0xbf800000, binade, false}, // -1 to -2
    {"lg2.half", "lg2", 0x3f000000, binade, false},   // 1/2 to 1
    {"lg2.1", "lg2", 0x3f800000, binade, false},      // 1 to 2
    {"lg2.4", "lg2", 0x40800000, binade, false},      // 4 to 8
    {"sin.16th", "sin_", 0x3d800000, binade, false},  // 1/16 to 1/8 of a revolution
    {"sin.8th", "sin_", 0x3e000000, binade, false},   // 1/8 to 1/4
    {"sin.quarter", "sin_", 0x3e800000, binade, false},
    {"sin.half", "sin_", 0x3f000000, binade, false},
    {"cos.16th", "cos_", 0x3d800000, binade, false},
    {"cos.8th", "cos_", 0x3e000000, binade, false},
    {"cos.quarter", "cos_", 0x3e800000, binade, false},
    {"cos.half", "cos_", 0x3f000000, binade, false},
    {"tanh.quarter", "tanh_", 0x3e800000, binade, false},
    {"tanh.half", "tanh_", 0x3f000000, binade, false},
    {"tanh.1", "tanh_", 0x3f800000, binade, false},
    {"tanh.2", "tanh_", 0x40000000, binade, false},
    {"tanh.4", "tanh_", 0x40800000, binade, false},
    {"rcp64h", "rcp64h", 0x3ff00000, 1u << 20, false}, // 1 to 2
    {"rsq64h", "rsq64h", 0x3ff00000, 1u << 21, false}, // 1 to 4
    {"rcp.sweep", "rcp_sweep", 0, 1u << 17, true},
    {"rsq.sweep", "rsq_sweep", 0, 1u << 17, true},
    {"sqrt.sweep", "sqrt__sweep", 0, 1u << 17, true},
    {"ex2.sweep", "ex2_sweep", 0, 1u << 17, true},
    {"lg2.sweep", "lg2_sweep", 0, 1u << 17, true},
    {"sin.sweep", "sin__sweep", 0, 1u << 17, true},
    {"cos.sweep", "cos__sweep", 0, 1u << 17, true},
    {"tanh.sweep", "tanh__sweep", 0, 1u << 17, true},
    {"ex2_f16", "ex2_f16", 0, 1u << 16, true},
    {"tanh_f16", "tanh_f16", 0, 1u << 16, true},
    {"ex2_bf16", "ex2_bf16", 0, 1u << 16, true},
    {"tanh_bf16", "tanh_bf16", 0, 1u << 16, true},
};

static std::vector<unsigned char> read_file(const char *path)
{
    std::vector<unsigned char> bytes;
    std::FILE *file = std::fopen(path, "rb");
    for (int c; file && (c = std::fgetc(file)) != EOF;)
        bytes.push_back((unsigned char)c);
    if (file)
        std::fclose(file);
    return bytes;
}

static bool write_file(const std::string &path, const std::vector<unsigned char> &bytes)
{
    std::FILE *file = std::fopen(path.c_str(), "wb");
    bool good = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    if (file && std::fclose(file) != 0)
        good = false;
    if (!good)
        std::fprintf(stderr, "cannot write %s\n", path.c_str());
    return good;
}

/// Turns every FMUL by the immediate 1 / (2 pi) into an FMUL by 1. Returns how many there were.
static int drop_radians(std::vector<unsigned char> &cubin)
{
    int found = 0;
    for (size_t i = 0; i + 8 <= cubin.size(); i += 8) {
        unsigned char *word = &cubin[i];
        uint32_t opcode = (uint32_t)(word[0] | word[1] << 8) & 0xfff;
        uint32_t factor = (uint32_t)word[4] | (uint32_t)word[5] << 8 | (uint32_t)word[6] << 16 |
                          (uint32_t)word[7] << 24;
        if (opcode != 0x820 || factor != 0x3e22f983)
            continue;
        const unsigned char one[4] = {0x00, 0x00, 0x80, 0x3f};
        for (int k = 0; k < 4; k++)
            word[4 + k] = one[k];
        found++;
    }
    return found;
}

static std::vector<unsigned char> encode(const std::vector<uint32_t> &results, bool raw)
{
    std::vector<unsigned char> bytes;
    uint32_t before = 0, two_before = 0;
    for (uint32_t result : results) {
        uint32_t difference = result - 2 * before + two_before;
        uint32_t folded = difference << 1 ^ (uint32_t)((int32_t)difference >> 31);
        two_before = before;
        before = result;
        if (raw) {
            for (int k = 0; k < 32; k += 8)
                bytes.push_back((unsigned char)(result >> k));
            continue;
        }
        for (; folded > 127; folded >>= 7)
            bytes.push_back((unsigned char)(folded & 127) | 128);
        bytes.push_back((unsigned char)folded);
    }
    return bytes;
}

static std::vector<uint32_t> run(cudaLibrary_t library, const Range &range)
{
    cudaKernel_t kernel;
    std::vector<uint32_t> results(range.count);
    uint32_t *device, start = range.start;
    probe_must(cudaLibraryGetKernel(&kernel, library, range.kernel), range.kernel);
    probe_must(cudaMalloc((void **)&device, (size_t)range.count * 4), "cudaMalloc");
    void *arguments[] = {&device, &start};
    probe_must(
        cudaLaunchKernel((const void *)kernel, dim3(range.count / 256), dim3(256), arguments, 0, 0),
        range.kernel);
    probe_must(cudaMemcpy(results.data(), device, (size_t)range.count * 4, cudaMemcpyDeviceToHost),
               range.kernel);
    cudaFree(device);
    return results;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "use: mufu CUBIN DIR\n");
        return 2;
    }
    std::vector<unsigned char> cubin = read_file(argv[1]);
    int found = drop_radians(cubin);
    if (found != 4) {
        std::fprintf(stderr, "%s: expected 4 multiplications by 1 / (2 pi), found %d\n", argv[1],
                     found);
        return 1;
    }
    cudaLibrary_t library;
    probe_must(
        cudaLibraryLoadData(&library, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
        "cudaLibraryLoadData");
    for (const Range &range : ranges) {
        std::string path = std::string(argv[2]) + "/" + range.name + (range.raw ? ".raw" : ".d2");
        if (!write_file(path, encode(run(library, range), range.raw)))
            return 1;
        std::printf("%s %08x %u\n", range.name, range.start, range.count);
    }
    return 0;
}
