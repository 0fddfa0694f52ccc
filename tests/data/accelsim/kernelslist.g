MemcpyHtoD,0x00007f1000000000,512
MemcpyHtoD,0x00007f1000000200,1024
list.traceg
divergent.traceg
MemcpyDtoH,0x00007f1000000000,512
copies.traceg
