"""Kernels of hopper_triton.cu in Triton, compiled for compute capability 9.0; no GPU is needed:

    python3 hopper_triton.py DIR     writes DIR/kernels.h

Needs the package triton. They are what Triton's users write: a softmax, matrix products (by pointers, by
tensor descriptors, and by blocks that stay and have warps that only copy), attention.
"""

import pathlib
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def softmax(out, x, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + i, mask=i < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + i, powers / tl.sum(powers, axis=0), mask=i < columns)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    of_a = a + rows[:, None] * K + depth[None, :]
    of_b = b + columns[None, :] * K + depth[:, None]
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        sums = tl.dot(tl.load(of_a), tl.load(of_b), sums)
        of_a += BK
        of_b += BK
    tl.store(c + rows[:, None] * N + columns[None, :], sums.to(tl.float16))


@triton.jit
def matmul_described(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    of_a = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    of_b = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    of_c = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        sums = tl.dot(of_a.load([row, k]), of_b.load([column, k]).T, sums)
    of_c.store([row, column], sums.to(tl.float16))


@triton.jit
def matmul_specialised(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    of_a = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    of_b = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    of_c = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    down = tl.cdiv(M, BM)
    tiles = down * tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0), warp_specialize=True):
        row = tile % down * BM
        column = tile // down * BN
        sums = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(0, K, BK):
            sums = tl.dot(of_a.load([row, k]), of_b.load([column, k]).T, sums)
        of_c.store([row, column], sums.to(tl.float16))


@triton.jit
def attention(q, k, v, out, n, scale, CAUSAL: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
              D: tl.constexpr):
    first = tl.program_id(0) * BM
    head = tl.program_id(1) * n * D
    rows = first + tl.arange(0, BM)
    column = tl.arange(0, D)
    keys = tl.arange(0, BN)
    queries = tl.load(q + head + rows[:, None] * D + column[None, :])
    most = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    sums = tl.zeros((BM, D), tl.float32)
    for at in range(0, first + BM if CAUSAL else n, BN):
        scores = tl.dot(queries, tl.load(k + head + (at + keys)[None, :] * D + column[:, None])) * scale
        if CAUSAL:
            scores = tl.where(rows[:, None] >= (at + keys)[None, :], scores, -float("inf"))
        now = tl.maximum(most, tl.max(scores, 1))
        powers = tl.exp2(scores - now[:, None])
        before = tl.exp2(most - now)
        total = total * before + tl.sum(powers, 1)
        values = tl.load(v + head + (at + keys)[:, None] * D + column[None, :])
        sums = tl.dot(powers.to(tl.float16), values, sums * before[:, None])
        most = now
    tl.store(out + head + rows[:, None] * D + column[None, :], (sums / total[:, None]).to(tl.float16))


PRODUCT = "a:*fp16 b:*fp16 c:*fp16 M:i32 N:i32 K:i32"
ATTENTION = "q:*fp16 k:*fp16 v:*fp16 out:*fp16 n:i32 scale:fp32"
KERNELS = {  # name: function, parameters, constants, options
    "softmax": (softmax, "out:*fp32 x:*fp32 columns:i32 stride:i32", {"BLOCK": 1024}, {"num_warps": 4}),
    "matmul": (matmul, PRODUCT, {"BM": 128, "BN": 128, "BK": 64}, {"num_warps": 4, "num_stages": 3}),
    "matmul_8": (matmul, PRODUCT, {"BM": 128, "BN": 256, "BK": 64}, {"num_warps": 8, "num_stages": 3}),
    "matmul_described": (matmul_described, PRODUCT, {"BM": 128, "BN": 128, "BK": 64},
                         {"num_warps": 8, "num_stages": 3}),
    "matmul_specialised": (matmul_specialised, PRODUCT, {"BM": 128, "BN": 128, "BK": 64},
                           {"num_warps": 4, "num_stages": 3}),
    "attention": (attention, ATTENTION, {"CAUSAL": False, "BM": 128, "BN": 64, "D": 64},
                  {"num_warps": 4, "num_stages": 2}),
    "attention_causal": (attention, ATTENTION, {"CAUSAL": True, "BM": 128, "BN": 64, "D": 64},
                         {"num_warps": 4, "num_stages": 2}),
}


def compiled(function, parameters, constants, options):
    """Compiles a kernel. Pointers and sizes are multiples of 16, as Triton finds them to be at a launch."""
    signature = dict(pair.split(":") for pair in parameters.split())
    divisible = {(i,): [["tt.divisibility", 16]] for i, (name, kind) in enumerate(signature.items())
                 if kind != "fp32" and name != "columns"}
    signature.update(dict.fromkeys(constants, "constexpr"))
    source = ASTSource(fn=function, signature=signature, constexprs=constants, attrs=divisible)
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options=options)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "kernels.h").open("w") as header:
        for name, row in KERNELS.items():
            kernel = compiled(*row)
            data = kernel.metadata
            cubin = ", ".join(str(byte) for byte in kernel.asm["cubin"])
            header.write(f"const unsigned char {name}_cubin[] = {{{cubin}}};\n"
                         f"const Compiled {name} = {{{name}_cubin, \"{data.name}\", {data.num_warps}, "
                         f"{data.shared}, {data.global_scratch_size}}};\n")


main()
