/* A program with a runtime inside, as nvcc makes them; this one fails. simsm run replaces it. */
#include <stdio.h>

int cudaGetDeviceCount(int *count);
int cudaRuntimeGetVersion(int *version);
void **__cudaRegisterFatBinary(void *fatbin);

__attribute__((weak)) int cudaGetDeviceCount(int *count)
{
    *count = -1;
    return 100;
}

__attribute__((weak)) int cudaRuntimeGetVersion(int *version)
{
    *version = -1;
    return 100;
}

__attribute__((weak)) void **__cudaRegisterFatBinary(void *fatbin)
{
    printf("registered %p\n", fatbin);
    return NULL;
}

#ifdef SIGN /* a function that tells the runtimes of toolkits apart */
int SIGN(void);
__attribute__((weak)) int SIGN(void)
{
    return printf("the program's own\n");
}
#endif

int main(void)
{
    int count = 0, version = 0;
    int status = cudaGetDeviceCount(&count);
    status += cudaRuntimeGetVersion(&version);
    printf("status %d, %d device, version %d\n", status, count, version);
    return 0;
}
