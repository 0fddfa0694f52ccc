// Finds all places of a word in a text.
//
// Shows byte loads, loops that most lanes leave at the first character, and a ballot whose bits
// become the output.
#include "verify.h"

#include <cstring>

const int most = 16;

__constant__ char word[most];

__global__ void string_search(const char *text, int n, int length, unsigned *bits, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool equal = i + length <= n;
    for (int k = 0; equal && k < length; k++)
        equal = text[i + k] == word[k];
    unsigned found = __ballot_sync(0xffffffffu, equal);
    if (threadIdx.x % 32 == 0 && i < n) {
        bits[i / 32] = found;
        if (found)
            atomicAdd(count, __popc(found));
    }
}

int main()
{
    const int n = 120000 * verify::size();
    const char pattern[most] = "abcab";
    const int length = (int)std::strlen(pattern);
    verify::Program program("string_search");
    std::vector<char> text;
    for (uint32_t i = 0; i < (uint32_t)n; i++)
        text.push_back((char)('a' + verify::random_word(1, i) % 3));
    verify::Buffer<char> device_text(text);
    verify::Buffer<unsigned> bits((n + 31) / 32);
    verify::Buffer<int> count(1);
    verify::must(cudaMemcpyToSymbol(word, pattern, most), "cudaMemcpyToSymbol");

    string_search<<<(n + 255) / 256, 256>>>(device_text.data, n, length, bits.data, count.data);
    program.launched("string_search");

    std::vector<unsigned> want(bits.count, 0);
    std::vector<int> want_count(1, 0);
    for (int i = 0; i + length <= n; i++)
        if (std::memcmp(&text[i], pattern, (size_t)length) == 0) {
            want[i / 32] |= 1u << i % 32;
            want_count[0]++;
        }
    program.equal("bits", program.output("bits", bits), want);
    program.equal("count", program.output("count", count), want_count);
    program.holds("some places", want_count[0] > 100);
    return program.finish();
}
