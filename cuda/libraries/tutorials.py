"""Prints how long each configuration takes among which the autotuners of Triton's tutorials choose.

    tutorials.py FOLDER    of 03-matrix-multiplication.py and 06-fused-attention.py

Rows of CSV: case, configuration, microseconds; `inf`: Triton refuses it. Results are compared with
PyTorch's.
"""
import os
import runpy
import sys
import tempfile

import torch

if len(sys.argv) != 2:
    sys.exit(__doc__)
FOLDER = sys.argv[1]
SCRATCH = tempfile.TemporaryDirectory()
# M, N, K, 8 bits
PRODUCTS = [(256, 256, 256, False), (512, 512, 512, False), (1024, 1024, 1024, False),
            (128, 2048, 512, False), (2048, 2048, 512, False),
            (256, 256, 256, True), (512, 512, 512, True), (1024, 1024, 1024, True)]
# batch, heads, context, size of a head, causal
ATTENTIONS = [(1, 4, 512, 64, False), (1, 4, 1024, 64, True)]


def tutorial(name, end):
    """Returns what a tutorial defines up to the line that begins with `end`."""
    path = os.path.join(SCRATCH.name, name)
    with open(os.path.join(FOLDER, name), encoding='utf-8') as file, \
            open(path, 'w', encoding='utf-8') as part:
        beginning, found, _ = file.read().partition('\n' + end)
        assert found, f'{name}: no line begins with {end}'
        part.write(beginning + '\n')
    return runpy.run_path(path, run_name='tutorial')


def show(case, kernel):
    for config, times in kernel.configs_timings.items():
        words = [*map(str, config.kwargs.values()), str(config.num_warps), str(config.num_stages)]
        time = times[0] if isinstance(times, (list, tuple)) else times
        print(f"{case},{'/'.join(words)},{1000 * time:.3f}", flush=True)


def main():
    torch.manual_seed(1)
    print('case,configuration,us', flush=True)
    product = tutorial('03-matrix-multiplication.py', '# Unit Test')
    for m, n, k, small in PRODUCTS:
        a = torch.randn(m, k, device='cuda', dtype=torch.float16)
        b = torch.randn(k, n, device='cuda', dtype=torch.float16)
        if small:
            a, b = a.to(torch.float8_e5m2), b.T.to(torch.float8_e5m2)
        c = product['matmul'](a, b)
        error = (c.float() - a.half().float() @ b.half().float()).abs().max().item()
        assert error < 1, error
        show(f"matmul {'fp8' if small else 'fp16'} {m} {n} {k}", product['matmul_kernel'])
    attention = tutorial('06-fused-attention.py', 'TORCH_HAS_FP8')
    for z, h, context, width, causal in ATTENTIONS:
        q, k, v = (torch.randn(z, h, context, width, device='cuda', dtype=torch.float16)
                   for _ in range(3))
        out = attention['attention'](q, k, v, causal, 0.125, False)
        want = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal,
                                                                scale=0.125)
        error = (out - want).abs().max().item()
        assert error < 0.02, error
        show(f"attention {z} {h} {context} {width}{' causal' if causal else ''}",
             attention['_attn_fwd'])


if __name__ == '__main__':
    main()
