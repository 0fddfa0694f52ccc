/*
 * The 128 bytes of tensor maps, as the driver encodes them: prints what,value,result and sixteen
 * words for each change of a map. docs/machine-code.md has the layout that follows.
 *
 *     nvcc -arch=sm_90 -o tensor_maps cuda/probe/tensor_maps.cu
 *     tensor_maps          maps without interleave
 *     tensor_maps rules    interleaved maps, and how large boxes may be
 */
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
typedef CUresult (*enc_t)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                          const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                          const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                          CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef CUresult (*im_t)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                         const cuuint64_t *, const int *, const int *, cuuint32_t, cuuint32_t,
                         const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                         CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
struct par {
    int type, rank;
    uint64_t addr;
    uint64_t dim[5], stride[5];
    uint32_t box[5], es[5];
    int il, sw, l2, fill;
};
static enc_t enc;
static im_t im;
static par base()
{
    par p;
    memset(&p, 0, sizeof p);
    p.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    p.rank = 2;
    p.addr = 0x7f0012345600ull;
    p.dim[0] = 256;
    p.dim[1] = 128;
    p.dim[2] = 64;
    p.dim[3] = 32;
    p.dim[4] = 16;
    p.stride[0] = 512;
    p.stride[1] = 512 * 128;
    p.stride[2] = 512 * 128 * 64ull;
    p.stride[3] = 512ull * 128 * 64 * 32;
    for (int i = 0; i < 5; i++) {
        p.box[i] = 8 << (i == 0);
        p.es[i] = 1;
    }
    return p;
}
static const char *zeros = "016"; /* digits of a word: all, or "": no leading zeros */

static void show_words(const CUtensorMap &m)
{
    char format[16];
    snprintf(format, sizeof format, ",%%%sllx", zeros);
    for (int i = 0; i < 16; i++)
        printf(format, ((const unsigned long long *)&m)[i]);
    puts("");
}

static void show(const char *what, long v, const par &p)
{
    CUtensorMap m;
    memset(&m, 0xcc, sizeof m);
    CUresult r = enc(&m, (CUtensorMapDataType)p.type, p.rank, (void *)p.addr, p.dim, p.stride,
                     p.box, p.es, (CUtensorMapInterleave)p.il, (CUtensorMapSwizzle)p.sw,
                     (CUtensorMapL2promotion)p.l2, (CUtensorMapFloatOOBfill)p.fill);
    printf("%s,%ld,%d", what, v, r);
    show_words(m);
}

/* Maps of tiles: changes one field at a time. */
static void show_interleaved(int il)
{
    par b = base();
    b.rank = 4;
    b.il = il;
    b.sw = il == 2;
    b.box[0] = 8 * il;
    char t[16];
#define CHANGE(what, value, field)                                                                 \
    {                                                                                              \
        par p = b;                                                                                 \
        p.field = value;                                                                           \
        snprintf(t, sizeof t, "il%d_" what, il);                                                   \
        show(t, (long)(value), p);                                                                 \
    }
    for (int rank = 1; rank <= 5; rank++)
        CHANGE("rank", rank, rank);
    for (int type = 0; type < 14; type++)
        CHANGE("type", type, type);
    for (int sw = 0; sw <= 4; sw++)
        CHANGE("sw", sw, sw);
    for (int fill = 0; fill <= 1; fill++) {
        CHANGE("fill", fill, fill);
        b.type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
        CHANGE("fill_u16", fill, fill);
        b.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    }
    for (int i = 3; i <= 8; i++) {
        CHANGE("addr", b.addr + (1 << i), addr);
        CHANGE("stride0", 512 + (1 << i), stride[0]);
        CHANGE("stride2", b.stride[2] + (1 << i), stride[2]);
    }
    for (int i = 0; i <= 9; i++) {
        CHANGE("box0", 1 << i, box[0]);
        CHANGE("box1", 1 << i, box[1]);
        CHANGE("es0", i, es[0]);
        CHANGE("dim0", 1 + i, dim[0]);
    }
    for (int i = 1; i <= 20; i++) {
        CHANGE("box0", i, box[0]);
        CHANGE("stride0", 16 * i, stride[0]);
    }
}

/* Maps of pixels. */
static void show_pixels(int il, int rank, int sw)
{
    const uint64_t dim[5] = {64, 32, 32, 8, 4};
    const int lo[3] = {-1, -2, -3}, hi[3] = {-4, -5, -6};
    const uint32_t es[5] = {1, 1, 1, 1, 1};
    for (int channels : {1, 4, 8, 16, 24, 32, 64, 128, 256, 257})
        for (int odd = 0; odd < 2 + 5 * (channels == 256); odd++) {
            static const int pixels[] = {40, 40, 256, 400, 454, 455, 512};
            CUtensorMap m;
            memset(&m, 0, sizeof m);
            const uint64_t st[4] = {128ull + 16 * (odd == 1), 128 * 33, 128 * 33 * 33,
                                    128 * 33 * 33 * 9};
            const CUresult r = im(
                &m, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, rank, (void *)0x7f0012345600ull, dim, st, lo,
                hi, channels, pixels[odd], es, (CUtensorMapInterleave)il, (CUtensorMapSwizzle)sw,
                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
            printf("il%d_im2col%d_sw%d_odd%d,%d,%d", il, rank, sw, odd, channels, r);
            show_words(m);
        }
}

/* The largest boxes that the driver takes, of bytes. */
static void show_large(int il)
{
    static const uint32_t box[][4] = {
        {256, 2, 256, 1}, {256, 27, 19, 1},  {256, 26, 20, 1}, {256, 24, 25, 1},  {256, 28, 25, 1},
        {256, 32, 25, 1}, {256, 30, 30, 1},  {256, 226, 4, 1}, {256, 227, 4, 1},  {256, 101, 9, 1},
        {256, 91, 10, 1}, {256, 228, 4, 1},  {256, 30, 32, 1}, {256, 31, 33, 1},  {256, 32, 32, 1},
        {256, 33, 32, 1}, {16, 64, 227, 1},  {16, 87, 167, 1}, {16, 129, 127, 1}, {16, 34, 241, 1},
        {16, 256, 64, 1}, {16, 256, 256, 1}, {16, 256, 32, 8}, {16, 1, 256, 64},  {16, 256, 1, 64}};
    for (const auto &shape : box)
        for (int step = 1; step <= 3; step++) {
            par p = base();
            char t[40];
            p.type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
            p.rank = 4;
            p.il = il;
            p.es[0] = p.es[1] = step;
            memcpy(p.box, shape, sizeof box[0]);
            snprintf(t, sizeof t, "il%d_step%d_%ux%ux%u", il, step, shape[1], shape[2], shape[3]);
            show(t, shape[0], p);
        }
}

int main(int argc, char **argv)
{
    cudaFree(0);
    cudaDriverEntryPointQueryResult q;
    cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", (void **)&enc, cudaEnableDefault, &q);
    cudaGetDriverEntryPoint("cuTensorMapEncodeIm2col", (void **)&im, cudaEnableDefault, &q);
    if (argc > 1 && !strcmp(argv[1], "rules")) {
        zeros = "";
        for (int il = 0; il <= 2; il++) {
            if (il)
                show_interleaved(il);
            show_large(il);
            for (int rank = 2; rank <= 5; rank++)
                for (int sw : {0, 3})
                    show_pixels(il, rank, sw);
        }
        return 0;
    }
    par b = base();
    show("base", 0, b);
    for (int i = 0; i < 16; i++) {
        par p = b;
        p.type = i;
        show("type", i, p);
    }
    for (int i = 0; i <= 6; i++) {
        par p = b;
        p.rank = i;
        show("rank", i, p);
    }
    for (int i = 0; i < 64; i += 3) {
        par p = b;
        p.addr = 1ull << i;
        show("addr", i, p);
    }
    for (int d = 0; d < 5; d++)
        for (int i = 0; i <= 33; i += 1 + (i > 3) * 3) {
            par p = b;
            p.rank = 5;
            p.dim[d] = 1ull << i;
            char t[16];
            sprintf(t, "dim%d", d);
            show(t, i, p);
        }
    for (int d = 0; d < 4; d++)
        for (int i = 3; i <= 41; i += 2) {
            par p = b;
            p.rank = 5;
            p.stride[d] = 1ull << i;
            char t[16];
            sprintf(t, "stride%d", d);
            show(t, i, p);
        }
    for (int d = 0; d < 5; d++)
        for (int i = 0; i <= 9; i++) {
            par p = b;
            p.rank = 5;
            for (int k = 0; k < 5; k++)
                p.box[k] = k ? 1 : 8;
            p.box[d] = 1 << i;
            char t[16];
            sprintf(t, "box%d", d);
            show(t, 1 << i, p);
        }
    {
        par p = b;
        p.rank = 5;
        for (int k = 0; k < 5; k++)
            p.box[k] = k ? 1 : 8;
        p.box[1] = 255;
        show("box1", 255, p);
        p.box[1] = 3;
        show("box1", 3, p);
    }
    for (int d = 0; d < 5; d++)
        for (int i = 0; i <= 9; i++) {
            par p = b;
            p.rank = 5;
            for (int k = 0; k < 5; k++)
                p.box[k] = 8;
            p.es[d] = i;
            char t[16];
            sprintf(t, "es%d", d);
            show(t, i, p);
        }
    for (int i = 0; i <= 3; i++) {
        par p = b;
        p.il = i;
        p.rank = 3;
        if (i == 2)
            p.sw = 1;
        show("il", i, p);
    }
    for (int i = 0; i <= 7; i++) {
        par p = b;
        p.sw = i;
        p.box[0] = 8;
        show("sw", i, p);
    }
    for (int i = 0; i <= 4; i++) {
        par p = b;
        p.l2 = i;
        show("l2", i, p);
    }
    for (int i = 0; i <= 2; i++) {
        par p = b;
        p.fill = i;
        show("fill", i, p);
    }
    {
        par p = b;
        p.type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        p.fill = 1;
        show("fill_u8", 1, p);
    }
    for (int s = 0; s < 4; s++)
        for (int i = 8; i <= 256; i *= 2) {
            par p = b;
            p.sw = s;
            p.box[0] = i;
            char t[16];
            sprintf(t, "sw%dbox", s);
            show(t, i, p);
        }
    // im2col: 4 dims NHWC
    {
        uint64_t dim[5] = {64, 32, 32, 8, 4},
                 st[4] = {128, 128 * 32, 128 * 32 * 32, 128ull * 32 * 32 * 8};
        int lo[3] = {-1, -2, -3}, hi[3] = {-4, -5, -6};
        uint32_t es[5] = {1, 1, 1, 1, 1};
        for (int rank = 3; rank <= 5; rank++)
            for (int v = 0; v < 4; v++) {
                CUtensorMap m;
                memset(&m, 0xcc, sizeof m);
                CUresult r =
                    im(&m, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, rank, (void *)0x7f0012345600ull, dim,
                       st, lo, hi, v == 1 ? 32 : 64, v == 2 ? 64 : 128, es,
                       CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)(v == 3 ? 3 : 0),
                       CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
                printf("im2col%d,%d,%d", rank, v, r);
                show_words(m);
            }
    }
}
