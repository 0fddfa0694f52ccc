/* Variables of device code (__device__, __constant__, __managed__): copies, addresses, sizes. */
#include "cuda/cuda_code.h"
#include "cuda/cuda_stream.h"
#include "cuda/cuda_symbol.h"

static enum cuda_error to_symbol(const char *function, const void *shadow, const void *src,
                                 size_t bytes, size_t offset, int kind, void *stream)
{
    struct runtime *rt = rt_enter(function);
    struct stream_work work;
    enum cuda_error error =
        rt ? symbol_copy_to(rt, shadow, src, bytes, offset, kind, &work) : rt_refusal();
    return rt_leave(error == CUDA_SUCCESS ? stream_submit(rt, stream, &work) : error);
}

static enum cuda_error from_symbol(const char *function, void *dst, const void *shadow,
                                   size_t bytes, size_t offset, int kind, void *stream)
{
    struct runtime *rt = rt_enter(function);
    struct stream_work work;
    enum cuda_error error =
        rt ? symbol_copy_from(rt, dst, shadow, bytes, offset, kind, &work) : rt_refusal();
    return rt_leave(error == CUDA_SUCCESS ? stream_submit(rt, stream, &work) : error);
}

enum cuda_error cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                                   int kind)
{
    return to_symbol(__func__, symbol, src, bytes, offset, kind, NULL);
}

enum cuda_error cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes,
                                        size_t offset, int kind, void *stream)
{
    return to_symbol(__func__, symbol, src, bytes, offset, kind, stream);
}

enum cuda_error cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                                     int kind)
{
    return from_symbol(__func__, dst, symbol, bytes, offset, kind, NULL);
}

enum cuda_error cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes,
                                          size_t offset, int kind, void *stream)
{
    return from_symbol(__func__, dst, symbol, bytes, offset, kind, stream);
}

enum cuda_error cudaGetSymbolAddress(void **address, const void *symbol)
{
    struct runtime *rt = rt_enter(__func__);
    struct variable *variable;
    enum cuda_error error = rt ? code_variable(rt, symbol, &variable) : rt_refusal();
    if (error == CUDA_SUCCESS && !address)
        error = CUDA_INVALID_VALUE;
    if (error == CUDA_SUCCESS)
        *address = (void *)(uintptr_t)variable->address;
    return rt_leave(error);
}

enum cuda_error cudaGetSymbolSize(size_t *size, const void *symbol)
{
    struct runtime *rt = rt_enter(__func__);
    struct variable *variable;
    enum cuda_error error = rt ? code_variable(rt, symbol, &variable) : rt_refusal();
    if (error == CUDA_SUCCESS && !size)
        error = CUDA_INVALID_VALUE;
    if (error == CUDA_SUCCESS)
        *size = variable->size;
    return rt_leave(error);
}

CUDA_ALIAS(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);
CUDA_ALIAS(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);
CUDA_ALIAS(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);
CUDA_ALIAS(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);
