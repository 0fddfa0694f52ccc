"""Matrix products of PyTorch (cuBLAS and cuBLASLt): which kernels run, and the bits that come out.

    products.py [--profile] [NAME...]    all cases, or those NAMEs

Prints a line of CSV for each case: name, SHA-256 of the result and, with --profile, the kernels that
PyTorch's profiler hears. simsm has the kernels in its table of launches, in the range (NVTX) that has
the case's name.
"""
import hashlib
import itertools
import sys

import torch

DTYPES = {'f32': torch.float32, 'f64': torch.float64, 'f16': torch.float16, 'bf16': torch.bfloat16}


def matrix(rows, columns, dtype, seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(rows, columns, generator=generator, dtype=torch.float64).to(dtype).cuda()


def batch(count, rows, columns, dtype, seed):
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(count, rows, columns, generator=generator, dtype=torch.float64)
    return values.to(dtype).cuda()


def tf32(allowed):
    torch.backends.cuda.matmul.allow_tf32 = allowed


def product_cases():
    shapes = [(16, 16, 16), (64, 64, 64), (128, 128, 128), (96, 160, 48), (256, 64, 512),
              (33, 65, 17), (512, 512, 64), (8, 256, 256), (300, 200, 100), (1024, 32, 128)]
    for (name, dtype), (m, n, k) in itertools.product(DTYPES.items(), shapes):
        yield f'mm_{name}_{m}x{n}x{k}', lambda m=m, n=n, k=k, d=dtype: (
            matrix(m, k, d, 1) @ matrix(k, n, d, 2))
    for m, n, k in shapes:
        yield f'mm_tf32_{m}x{n}x{k}', lambda m=m, n=n, k=k: (
            tf32(True), matrix(m, k, torch.float32, 1) @ matrix(k, n, torch.float32, 2),
            tf32(False))[1]


def layout_cases():
    for (name, dtype), (m, n, k) in itertools.product(DTYPES.items(), [(64, 96, 128), (256, 256, 64)]):
        yield f'mm_nt_{name}_{m}x{n}x{k}', lambda m=m, n=n, k=k, d=dtype: (
            matrix(m, k, d, 1) @ matrix(n, k, d, 2).t())
        yield f'mm_tn_{name}_{m}x{n}x{k}', lambda m=m, n=n, k=k, d=dtype: (
            matrix(k, m, d, 1).t() @ matrix(k, n, d, 2))
        yield f'mm_tt_{name}_{m}x{n}x{k}', lambda m=m, n=n, k=k, d=dtype: (
            matrix(k, m, d, 1).t() @ matrix(n, k, d, 2).t())


def vector_cases():
    for (name, dtype), (m, k) in itertools.product(DTYPES.items(), [(64, 64), (1000, 300), (16, 2048)]):
        yield f'mv_{name}_{m}x{k}', lambda m=m, k=k, d=dtype: (
            matrix(m, k, d, 1) @ matrix(k, 1, d, 2).flatten())
        yield f'mm1_{name}_{m}x{k}', lambda m=m, k=k, d=dtype: (
            matrix(m, k, d, 1) @ matrix(k, 1, d, 2))
        yield f'vm_{name}_{m}x{k}', lambda m=m, k=k, d=dtype: (
            matrix(1, m, d, 1) @ matrix(m, k, d, 2))


def batch_cases():
    shapes = [(4, 32, 32, 32), (16, 64, 64, 64), (3, 100, 50, 20), (8, 128, 16, 64)]
    for (name, dtype), (b, m, n, k) in itertools.product(DTYPES.items(), shapes):
        yield f'bmm_{name}_{b}x{m}x{n}x{k}', lambda b=b, m=m, n=n, k=k, d=dtype: torch.bmm(
            batch(b, m, k, d, 1), batch(b, k, n, d, 2))
        yield f'bmm_nt_{name}_{b}x{m}x{n}x{k}', lambda b=b, m=m, n=n, k=k, d=dtype: torch.bmm(
            batch(b, m, k, d, 1), batch(b, n, k, d, 2).transpose(1, 2))


def epilogue_cases():
    shapes = [(64, 64, 64), (128, 256, 64), (48, 80, 112), (256, 128, 256)]
    for (name, dtype), (m, n, k) in itertools.product(DTYPES.items(), shapes):
        yield f'linear_{name}_{m}x{n}x{k}', lambda m=m, n=n, k=k, d=dtype: torch.nn.functional.linear(
            matrix(m, k, d, 1), matrix(n, k, d, 2), matrix(1, n, d, 3).flatten())
        if name != 'f64':
            for gelu in (False, True):
                yield (f'linear_{"gelu" if gelu else "relu"}_{name}_{m}x{n}x{k}',
                       lambda m=m, n=n, k=k, d=dtype, g=gelu: torch._addmm_activation(
                           matrix(1, n, d, 3).flatten(), matrix(m, k, d, 1), matrix(n, k, d, 2).t(),
                           use_gelu=g))


def integer(rows, columns, seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(-128, 128, (rows, columns), generator=generator).to(torch.int8).cuda()


def small_type_cases():
    for m, n, k in [(32, 32, 32), (64, 128, 64), (256, 256, 128), (96, 48, 160)]:
        yield f'mm_s8_{m}x{n}x{k}', lambda m=m, n=n, k=k: torch._int_mm(
            integer(m, k, 1), integer(n, k, 2).t())
        one = torch.ones((), device='cuda')
        for name, left in (('e4m3', torch.float8_e4m3fn), ('e5m2', torch.float8_e5m2)):
            yield f'mm_{name}_{m}x{n}x{k}', lambda m=m, n=n, k=k, l=left, one=one: torch._scaled_mm(
                matrix(m, k, torch.float32, 1).to(l), matrix(n, k, torch.float32, 2).to(
                    torch.float8_e4m3fn).t(), one, one, out_dtype=torch.bfloat16)


def cases():
    tf32(False)
    return itertools.chain(product_cases(), layout_cases(), vector_cases(), batch_cases(),
                           epilogue_cases(), small_type_cases())


def bits(result):
    return hashlib.sha256(result.cpu().contiguous().view(torch.uint8).numpy().tobytes()).hexdigest()


def listen(run):
    """Runs it; returns the result and the names of its kernels as a profiler hears them."""
    from torch.profiler import ProfilerActivity, profile
    with profile(activities=[ProfilerActivity.CUDA]) as heard:
        result = run()
        torch.cuda.synchronize()
    events = sorted((e for e in heard.events() if e.device_type == torch.autograd.DeviceType.CUDA),
                    key=lambda e: e.time_range.start)
    return result, [e.name for e in events if not e.name.startswith(('Memcpy', 'Memset'))]


def plain(name):
    """A kernel's name without template arguments, parameters and what it returns."""
    depth, kept = 0, ''
    for letter in name.replace('(anonymous namespace)::', ''):
        depth -= letter == '>'
        kept += letter if depth == 0 and letter != '>' else ''
        depth += letter == '<'
    return kept.replace('<', '').split('(')[0].split(' ')[-1]


def main():
    wanted = set(sys.argv[1:])
    profile = '--profile' in wanted
    wanted.discard('--profile')
    for name, run in cases():
        if wanted and name not in wanted:
            continue
        torch.cuda.nvtx.range_push(name)
        result, kernels = listen(run) if profile else (run(), [])
        torch.cuda.nvtx.range_pop()
        print(f'{name},{bits(result)},{";".join(map(plain, kernels))}', flush=True)


if __name__ == '__main__':
    main()
