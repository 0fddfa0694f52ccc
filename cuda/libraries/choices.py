"""Ten choices of Triton's autotuner: prints the time of each configuration in us, as CSV.

On a GPU these are the measured times, and on the simulated device the simulated ones:
    simsm run h200 --quiet -- python choices.py
"""

import torch
import triton
import triton.language as tl

PRODUCTS = [(256, 256, 256), (512, 512, 512), (1024, 1024, 512), (128, 2048, 512), (64, 512, 4096)]
ROWS = [(1024, 256), (512, 1024), (256, 4096), (64, 16384), (4096, 64)]
TILES = [(128, 128, 32, 3, 4), (64, 64, 32, 3, 4), (64, 128, 32, 4, 4), (32, 64, 32, 5, 2),
         (64, 64, 64, 3, 8)]


@triton.autotune(
    configs=[triton.Config({"BM": m, "BN": n, "BK": k}, num_stages=s, num_warps=w)
             for m, n, k, s, w in TILES], key=["M", "N", "K"])
@triton.jit
def product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    inside = row[:, None] < M
    for k in range(0, K, BK):
        left = tl.load(a + row[:, None] * K + (k + inner)[None, :], mask=inside, other=0.0)
        right = tl.load(b + (k + inner)[:, None] * N + column[None, :])
        total = tl.dot(left, right, total)
    tl.store(c + row[:, None] * N + column[None, :], total.to(tl.float16), mask=inside)


@triton.autotune(configs=[triton.Config({}, num_warps=w) for w in (1, 2, 4, 8, 16)],
                 key=["rows", "width"])
@triton.jit
def softmax(out, x, rows, width, WIDTH: tl.constexpr):
    at = tl.program_id(0) * width + tl.arange(0, WIDTH)
    value = tl.load(x + at)
    value = tl.exp(value - tl.max(value, 0))
    tl.store(out + at, value / tl.sum(value, 0))


def show(case, kernel):
    for config, times in kernel.configs_timings.items():
        words = [*map(str, config.kwargs.values()), str(config.num_warps), str(config.num_stages)]
        print(f"{case},{'/'.join(words)},{1000 * times[0]:.3f}", flush=True)


def main():
    torch.manual_seed(1)
    print("case,configuration,us")
    for m, n, k in PRODUCTS:
        a = torch.randn(m, k, device="cuda", dtype=torch.float16)
        b = torch.randn(k, n, device="cuda", dtype=torch.float16)
        c = torch.empty(m, n, device="cuda", dtype=torch.float16)
        product[lambda meta: (triton.cdiv(m, meta["BM"]), n // meta["BN"])](a, b, c, m, n, k)
        assert (c.float() - a.float() @ b.float()).abs().max().item() < 0.5
        show(f"product {m} {n} {k}", product)
    for rows, width in ROWS:
        x = torch.randn(rows, width, device="cuda")
        out = torch.empty_like(x)
        softmax[(rows,)](out, x, rows, width, width)
        assert (out - torch.softmax(x, 1)).abs().max().item() < 1e-5
        show(f"softmax {rows} {width}", softmax)


main()
