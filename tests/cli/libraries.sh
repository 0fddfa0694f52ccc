#!/usr/bin/env bash
# Libraries of NVIDIA and PyTorch on the simulated driver: results, kernels and losses as on an H200.
set -eu

python=${SIMSM_PYTORCH:-python3}
# shellcheck disable=SC2016
version=$("$python" -c 'import torch; print(torch.__version__ if torch.version.cuda else "")' 2>/dev/null) || version=
if [ -z "$version" ]; then
    echo "skipped: $python has no PyTorch for CUDA: docs/driver.md says how it is installed, SIMSM_PYTORCH names the interpreter"
    exit 77
fi
if nm -D "$BUILD"/cuda/libcuda.so.1 2>/dev/null | grep -q __asan; then
    echo "skipped: programs without AddressSanitizer cannot load a library with it"
    exit 77
fi
unset LD_PRELOAD LD_LIBRARY_PATH

# What any version computes: a sum, a product, an attention, a convolution, a graph, a gradient.
cat >"$BUILD/libraries.py" <<'PYTHON'
import torch

a = torch.arange(4096.0).view(64, 64).cuda() / 4096
assert (a + a).sum().item() == 2 * a.cpu().sum().item()
for dtype, bound in ((torch.float32, 1e-4), (torch.float16, 0.1), (torch.bfloat16, 0.5)):
    b = a.to(dtype)
    assert (b @ b).float().cpu().sub((a.cpu() @ a.cpu())).abs().max().item() < bound, dtype
q = torch.randn(1, 2, 32, 64)
attended = torch.nn.functional.scaled_dot_product_attention
assert attended(*3 * [q.cuda().half()]).float().cpu().sub(attended(q, q, q)).abs().max().item() < 0.01
x, w = torch.randn(2, 3, 8, 8), torch.randn(4, 3, 3, 3)
convolved = torch.nn.functional.conv2d
assert convolved(x.cuda(), w.cuda()).cpu().sub(convolved(x, w)).abs().max().item() < 1e-4
graph, y = torch.cuda.CUDAGraph(), torch.ones(100, device='cuda')
with torch.cuda.graph(graph):
    z = y * 2 + 1
y.fill_(3)
graph.replay()
assert z.sum().item() == 700
leaf = torch.ones(10, device='cuda', requires_grad=True)
(leaf * leaf).sum().backward()
assert leaf.grad.sum().item() == 20
assert torch.fft.fft(a).abs().sum().item() > 0
print('right')
PYTHON
"$SIMSM" run h200 --functional --quiet -- "$python" "$BUILD/libraries.py" >"$BUILD/libraries.out" 2>"$BUILD/libraries.err" || {
    cat "$BUILD/libraries.err"
    exit 1
}
grep -qx right "$BUILD/libraries.out"
if grep "does not support\|no name" "$BUILD/libraries.err"; then
    exit 1
fi

# Modules and operators of PyTorch are ranges of the report, and the program's own profiler comes first.
cat >"$BUILD/modules.py" <<'PYTHON'
import torch

model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU()).cuda()
for _ in range(2):
    model(torch.ones(4, 8, device='cuda')).sum().backward()
with torch.autograd.profiler.emit_nvtx():
    torch.ones(4, device='cuda')
PYTHON
"$SIMSM" run h200 --quiet --torch-ranges --json "$BUILD/modules.json" -- "$python" "$BUILD/modules.py" \
    >"$BUILD/libraries.out" 2>"$BUILD/libraries.err" || {
    cat "$BUILD/libraries.err"
    exit 1
}
for range in 'Sequential/0: Linear/aten::linear/aten::addmm' AddmmBackward0/aten::mm aten::ones/aten::fill_; do
    grep -q "\"range\": \"[^\"]*$range" "$BUILD/modules.json" || {
        echo "no range $range"
        exit 1
    }
done

# Tensors in two processes; code that NVRTC and nvJitLink make, and with ptxas the driver.
run_right() # PROGRAM ARGUMENT...
{
    "$SIMSM" run h200 --functional --quiet -- "$python" "$@" >"$BUILD/libraries.out" 2>"$BUILD/libraries.err" || true
    grep -qx right "$BUILD/libraries.out" || {
        cat "$BUILD/libraries.out" "$BUILD/libraries.err"
        exit 1
    }
}
run_right tests/data/cuda/processes.py
PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True run_right tests/data/cuda/processes.py
toolkit=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2>/dev/null) || toolkit=
run_right tests/data/cuda/nvrtc.py "${toolkit:+ptxas}"

case $version in
2.11.0*) cuda/libraries/compare "$SIMSM" configs/h200.yaml "$python" cuda/data/h200/2026-11-28 3 perceptron recurrent ;;
*) echo "PyTorch $version is not the recorded 2.11.0: kernels and losses are not compared" ;;
esac
