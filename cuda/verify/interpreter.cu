// Every thread runs a program of a small stack machine, by a switch over its instructions.
//
// Shows a tree of branches and a stack in local memory: half of the warps share one
// program, in the others every lane has its own.
#include "verify.h"

const int length = 48, operations = 20, depth = 8;

__host__ __device__ static unsigned run(const unsigned char *program, int steps, unsigned x)
{
    unsigned stack[depth] = {x, x + 1, x + 2, x + 3, 0, 0, 0, 0}, top = 3;
    for (int i = 0; i < steps; i++) {
        unsigned a = stack[top], b = stack[(top + depth - 1) % depth];
        switch (program[i]) {
        case 0: // push a constant
            top = (top + 1) % depth;
            stack[top] = (unsigned)i * 77u;
            break;
        case 1: // duplicate
            top = (top + 1) % depth;
            stack[top] = a;
            break;
        case 2:
            stack[top] = a * 31u + b;
            break;
        case 3: // drop
            top = (top + depth - 1) % depth;
            break;
        case 4:
            stack[top] = a / (b % 97u + 1u);
            break;
        case 5:
            stack[top] = a << (b & 15u) | a >> (16u - (b & 15u));
            break;
        case 6: // exchange
            stack[top] = b;
            stack[(top + depth - 1) % depth] = a;
            break;
        case 7:
            stack[top] = a * a + 3u;
            break;
        case 8:
            stack[top] = ~a + (b >> 3);
            break;
        case 9: // the smaller one
            stack[top] = a < b ? a : b;
            break;
        case 10: // turn the stack
            top = (top + 3) % depth;
            break;
        case 11:
            stack[top] = a * 5u;
            break;
        case 12:
            stack[top] = a + b * 9u;
            break;
        case 13:
            stack[top] = a ^ b << 7;
            break;
        case 14:
            stack[top] = (a & b) + 11u;
            break;
        case 15:
            stack[top] = (a | b) - 13u;
            break;
        case 16:
            stack[top] = a >> (b & 7u);
            break;
        case 17:
            stack[top] = b - a;
            break;
        case 18:
            stack[top] = a * b;
            break;
        default:
            stack[top] = a > b ? a - b : b ^ a;
            break;
        }
    }
    return stack[top];
}

__global__ void interpreter(const unsigned char *programs, int steps, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, warp = i / 32;
    unsigned mine = warp % 2 ? i : warp * 32;
    out[i] = run(programs + mine * length, steps, i);
}

int main()
{
    const int n = 4096 * verify::size();
    verify::Program program("interpreter");
    std::vector<uint32_t> words = verify::random_words(n * length, 1, operations);
    std::vector<unsigned char> programs(words.begin(), words.end());
    verify::Buffer<unsigned char> from(programs);
    verify::Buffer<unsigned> to(n);

    interpreter<<<n / 128, 128>>>(from.data, length, to.data);
    program.launched("interpreter");

    std::vector<unsigned> want;
    for (int i = 0; i < n; i++) {
        unsigned mine = i / 32 % 2 ? i : i / 32 * 32;
        want.push_back(run(&programs[mine * length], length, i));
    }
    program.equal("out", program.output("out", to), want);
    return program.finish();
}
