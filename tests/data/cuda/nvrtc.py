"""NVRTC and nvJitLink of NVIDIA's wheels: what they compile and link is loaded and launched.

With the argument `ptxas` also what the driver itself compiles and links, which needs the toolkit.
"""
import ctypes as c
import glob
import os
import sys
import sysconfig

PACKAGES = sysconfig.get_paths()['purelib']
CUBIN, PTX, LTO = 1, 2, 3  # nvJitLinkInputType
LINK_CUBIN, LINK_PTX = 0, 1  # CUjitInputType
ARCH, VIRTUAL = '-arch=sm_90', '-arch=compute_90'

WHOLE = 'extern "C" __global__ void k(int *p) { p[threadIdx.x] = 3 * threadIdx.x + 1; }'
KERNEL = ('extern __device__ int f(int);'
          'extern "C" __global__ void k(int *p) { p[threadIdx.x] = f(threadIdx.x) + 1; }')
FUNCTION = '__device__ int f(int x) { return 3 * x; }'


def load(name):
    found = glob.glob(os.path.join(PACKAGES, 'nvidia', '**', name), recursive=True)
    return c.CDLL(sorted(found)[0])


rtc, jit, cuda = load('libnvrtc.so.1[0-9]'), load('libnvJitLink.so.1[0-9]'), c.CDLL('libcuda.so.1')


def call(library, function, *arguments):
    result = getattr(library, function)(*arguments)
    assert result == 0, (function, result)


def texts(options):
    return (c.c_char_p * len(options))(*[option.encode() for option in options])


def read(library, handle, what):
    """What a pair of functions gives: its size, then its bytes."""
    size = c.c_size_t()
    call(library, what + 'Size', handle, c.byref(size))
    data = c.create_string_buffer(size.value)
    call(library, what, handle, data)
    return data.raw


def compiled(source, kind, *options):
    program = c.c_void_p()
    call(rtc, 'nvrtcCreateProgram', c.byref(program), source.encode(), b'k.cu', 0, None, None)
    call(rtc, 'nvrtcCompileProgram', program, len(options), texts(options))
    return read(rtc, program, 'nvrtcGet' + kind)


def linked(inputs, *options):
    link = c.c_void_p()
    call(jit, 'nvJitLinkCreate', c.byref(link), len(options), texts(options))
    for kind, data in inputs:
        call(jit, 'nvJitLinkAddData', link, kind, data, c.c_size_t(len(data)), b'input')
    call(jit, 'nvJitLinkComplete', link)
    return read(jit, link, 'nvJitLinkGetLinkedCubin')


def linked_by_driver(inputs):
    link, cubin, size = c.c_void_p(), c.c_void_p(), c.c_size_t()
    call(cuda, 'cuLinkCreate_v2', 0, None, None, c.byref(link))
    for kind, data in inputs:
        call(cuda, 'cuLinkAddData_v2', link, kind, data, c.c_size_t(len(data)), b'input', 0, None,
             None)
    call(cuda, 'cuLinkComplete', link, c.byref(cubin), c.byref(size))
    return cubin


def check(image):
    module, function, memory = c.c_void_p(), c.c_void_p(), c.c_uint64()
    found = (c.c_int * 32)()
    call(cuda, 'cuModuleLoadData', c.byref(module), image)
    call(cuda, 'cuModuleGetFunction', c.byref(function), module, b'k')
    call(cuda, 'cuMemAlloc_v2', c.byref(memory), c.c_size_t(128))
    arguments = (c.c_void_p * 1)(c.cast(c.byref(memory), c.c_void_p))
    call(cuda, 'cuLaunchKernel', function, 1, 1, 1, 32, 1, 1, 0, None, arguments, None)
    call(cuda, 'cuMemcpyDtoH_v2', found, memory, c.c_size_t(128))
    assert list(found) == [3 * i + 1 for i in range(32)], list(found)


def main():
    context = c.c_void_p()
    call(cuda, 'cuInit', 0)
    call(cuda, 'cuDevicePrimaryCtxRetain', c.byref(context), 0)
    call(cuda, 'cuCtxSetCurrent', context)
    cubins = [compiled(s, 'CUBIN', ARCH, '-rdc=true') for s in (KERNEL, FUNCTION)]
    ptx = [compiled(s, 'PTX', VIRTUAL, '-rdc=true') for s in (KERNEL, FUNCTION)]
    lto = [compiled(s, 'LTOIR', VIRTUAL, '-dlto') for s in (KERNEL, FUNCTION)]
    check(compiled(WHOLE, 'CUBIN', ARCH))
    check(linked([(CUBIN, cubins[0]), (CUBIN, cubins[1])], ARCH))
    check(linked([(PTX, ptx[0]), (PTX, ptx[1])], ARCH))
    check(linked([(PTX, ptx[0]), (CUBIN, cubins[1])], ARCH))
    check(linked([(LTO, lto[0]), (LTO, lto[1])], ARCH, '-lto'))
    check(linked([(LTO, lto[0]), (CUBIN, cubins[1])], ARCH, '-lto'))
    if 'ptxas' in sys.argv:
        check(compiled(WHOLE, 'PTX', VIRTUAL))
        check(linked_by_driver([(LINK_CUBIN, cubins[0]), (LINK_CUBIN, cubins[1])]))
        check(linked_by_driver([(LINK_PTX, ptx[0]), (LINK_CUBIN, cubins[1])]))
    print('right')


main()
