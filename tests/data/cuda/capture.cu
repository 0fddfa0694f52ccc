#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(int*p){p[0]++;}
static int *p; static cudaStream_t s,t,n; static cudaGraph_t g;
static const char *mode_name[]={"global","thread","relaxed"};
static void begin(int mode){ cudaError_t e=cudaStreamBeginCapture(s,(cudaStreamCaptureMode)mode); if(e) printf("begin %d\n",e); k<<<1,1,0,s>>>(p); }
static void end(int mode,const char*what,cudaError_t e){ cudaError_t last=cudaGetLastError(); cudaStreamCaptureStatus st; cudaError_t q=cudaStreamIsCapturing(s,&st); g=0; cudaError_t x=cudaStreamEndCapture(s,&g); printf("%s,%s,%d,%d,%d,%d,%d,%d\n",mode_name[mode],what,e,last,q,(int)st,x,g!=0); cudaGetLastError(); if(g) cudaGraphDestroy(g); int h; cudaMemcpy(&h,p,4,cudaMemcpyDeviceToHost); }
int main(){ cudaMalloc(&p,64); cudaMemset(p,0,64); cudaStreamCreate(&s); cudaStreamCreate(&t); cudaStreamCreateWithFlags(&n,cudaStreamNonBlocking); int *h; cudaMallocHost(&h,64); cudaEvent_t e,f; cudaEventCreate(&e); cudaEventCreate(&f); cudaEventRecord(f,t); k<<<1,1>>>(p); cudaDeviceSynchronize(); int local[4]; void*q;
 puts("mode,what,result,last,is_capturing,status,end,graph");
 for(int m=0;m<3;m++){
  begin(m); end(m,"nothing",cudaSuccess);
  begin(m); k<<<1,1>>>(p); end(m,"launch legacy",cudaPeekAtLastError());
  begin(m); end(m,"query",cudaStreamQuery(s));
  begin(m); end(m,"synchronize",cudaStreamSynchronize(s));
  begin(m); end(m,"device synchronize",cudaDeviceSynchronize());
  begin(m); end(m,"query other",cudaStreamQuery(t));
  begin(m); end(m,"query legacy",cudaStreamQuery(0));
  begin(m); end(m,"synchronize other",cudaStreamSynchronize(t));
  begin(m); end(m,"memcpy",cudaMemcpy(local,p,16,cudaMemcpyDeviceToHost));
  begin(m); end(m,"memcpy async pageable",cudaMemcpyAsync(local,p,16,cudaMemcpyDeviceToHost,s));
  begin(m); end(m,"memcpy async legacy",cudaMemcpyAsync(h,p,16,cudaMemcpyDeviceToHost,0));
  begin(m); end(m,"memset",cudaMemset(p,0,16));
  begin(m); end(m,"malloc",cudaMalloc(&q,64));
  begin(m); k<<<1,1,0,t>>>(p); end(m,"launch other",cudaPeekAtLastError());
  begin(m); k<<<1,1,0,n>>>(p); end(m,"launch nonblocking",cudaPeekAtLastError());
  begin(m); cudaEventRecord(e,s); end(m,"event query",cudaEventQuery(e));
  begin(m); cudaEventRecord(e,s); end(m,"event synchronize",cudaEventSynchronize(e));
  begin(m); end(m,"old event query",cudaEventQuery(f));
  begin(m); end(m,"record legacy",cudaEventRecord(e,0));
  begin(m); cudaEventRecord(e,s); cudaStreamWaitEvent(n,e,0); k<<<1,1,0,n>>>(p); end(m,"unjoined",cudaPeekAtLastError());
  begin(m); end(m,"wait legacy",cudaStreamWaitEvent(0,f,0));
  begin(m); cudaStreamCaptureStatus st; end(m,"is capturing legacy",cudaStreamIsCapturing(0,&st));
  begin(m); end(m,"begin again",cudaStreamBeginCapture(s,(cudaStreamCaptureMode)m));
  begin(m); end(m,"end other",cudaStreamEndCapture(t,&g));
 }
 // capture of the legacy stream
 printf("legacy,begin,%d\n",cudaStreamBeginCapture(0,cudaStreamCaptureModeRelaxed)); cudaGetLastError();
 printf("done,%d\n",cudaDeviceSynchronize()); }
