/* What a library's templates become. */
#include <cub/cub.cuh>
#include <thrust/device_ptr.h>
#include <thrust/sort.h>
template <int N> __device__ void block_sort(int *p) { using S = cub::BlockRadixSort<int, N, 4>; __shared__ typename S::TempStorage s; int k[4]; cub::LoadDirectBlocked(threadIdx.x, p, k); S(s).Sort(k); cub::StoreDirectBlocked(threadIdx.x, p, k); }
extern "C" __global__ void sort128(int *p) { block_sort<128>(p); }
extern "C" __global__ void scan(float *p) { using S = cub::BlockScan<float, 256, cub::BLOCK_SCAN_WARP_SCANS>; __shared__ typename S::TempStorage s; float v = p[threadIdx.x], t; S(s).InclusiveSum(v, v, t); p[threadIdx.x] = v; if (threadIdx.x == 0) p[256] = t; }
extern "C" __global__ void reduce(double *p) { using S = cub::BlockReduce<double, 256>; __shared__ typename S::TempStorage s; double v = S(s).Sum(p[threadIdx.x]); if (threadIdx.x == 0) p[256] = v; }
extern "C" __global__ void histogram(unsigned char *p, int *h) { using S = cub::BlockHistogram<unsigned char, 128, 4, 256>; __shared__ typename S::TempStorage s; __shared__ unsigned int b[256]; unsigned char v[4]; cub::LoadDirectStriped<128>(threadIdx.x, p, v); S(s).Histogram(v, b); __syncthreads(); h[threadIdx.x] = b[threadIdx.x]; }
extern "C" __global__ void merge(long long *p) { using S = cub::BlockMergeSort<long long, 128, 4>; __shared__ typename S::TempStorage s; long long k[4]; cub::LoadDirectBlocked(threadIdx.x, p, k); S(s).Sort(k, [](long long a, long long b) { return a < b; }); cub::StoreDirectBlocked(threadIdx.x, p, k); }
#ifdef DEVICE_WIDE
void sort_all(unsigned *k, float *v, int n) { thrust::sort_by_key(thrust::device_pointer_cast(k), thrust::device_pointer_cast(k + n), thrust::device_pointer_cast(v)); size_t b = 0; cub::DeviceScan::ExclusiveSum(nullptr, b, v, v, n); cub::DeviceReduce::Sum(nullptr, b, v, v, n); cub::DeviceSelect::If(nullptr, b, v, v, k, n, [] __device__(float x) { return x > 0; }); }
#endif
