// Ends in the way that its argument says, after one launch.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

__global__ void sum(int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += ((volatile int *)p)[(i * 37 + threadIdx.x) & 1023];
    p[threadIdx.x] = s;
}

static void launch_long(int *p)
{
    printf("ready\n");
    fflush(stdout);
    sum<<<1000, 256>>>(p, 1 << 24);
    cudaDeviceSynchronize();
    printf("the launch has ended\n");
}

static void in_child()
{
    int *p;
    if (fork() == 0) {
        printf("child: %s\n", cudaGetErrorName(cudaMalloc(&p, 4)));
        exit(0);
    }
    wait(nullptr);
}

int main(int, char **argv)
{
    int *p;
    cudaMalloc(&p, 4096);
    sum<<<1, 32>>>(p, 10);
    cudaDeviceSynchronize();
    if (strcmp(argv[1], "device memory") == 0)
        p[3] = 1;
    else if (strcmp(argv[1], "bad pointer") == 0)
        cudaMemcpy(p, (void *)0x1000, 64, cudaMemcpyHostToDevice);
    else if (strcmp(argv[1], "abort") == 0)
        abort();
    else if (strcmp(argv[1], "launch") == 0)
        launch_long(p);
    else if (strcmp(argv[1], "fork") == 0)
        in_child();
    else if (strcmp(argv[1], "thread") == 0) {
        std::thread(launch_long, p).detach();
        usleep(500000);
        exit(5);
    }
    return 0;
}
