/* Compiled, never run: our types beside those of a CUDA toolkit's headers (tests/cli/run_abi.sh).
 */
/* Both headers have this name; it is 0. */
#define CUDA_SUCCESS CU_SUCCESS
#include <cuda.h>
#undef CUDA_SUCCESS
#include <cuda_runtime_api.h>
#include <stddef.h>

#include "cuda/abi.h"
#include "cuda/driver/driver_abi.h"
#include "cuda/graph_abi.h"
#include "cuda/properties.h"
#include "exec/memory/texture.h"

#define SIZE(ours, theirs)                                                                         \
    _Static_assert(sizeof(ours) == sizeof(theirs), #theirs " has another size")
#define AT(ours, our_member, theirs, their_member)                                                 \
    _Static_assert(offsetof(ours, our_member) == offsetof(theirs, their_member),                   \
                   #theirs "." #their_member " is elsewhere")
#define VALUE(ours, theirs)                                                                        \
    _Static_assert((long)(ours) == (long)(theirs), #theirs " is another value")

#define SAME(name) AT(PROPERTIES, name, struct cudaDeviceProp, name);
#define OTHER(name)
#define IN_ALL SAME
#if CUDART_VERSION >= 13000
#define PROPERTIES struct cuda_properties_13
#define IN_OLD     OTHER
#define IN_NEW     SAME
#define IN_V12     OTHER
#define IN_V13     SAME
#define IN_END13   SAME
#elif CUDART_VERSION >= 12000
#define PROPERTIES struct cuda_properties_12
#define IN_OLD     SAME
#define IN_NEW     SAME
#define IN_V12     SAME
#define IN_V13     OTHER
#define IN_END13   OTHER
#else
#define PROPERTIES struct cuda_properties_11
#define IN_OLD     SAME
#define IN_NEW     OTHER
#define IN_V12     OTHER
#define IN_V13     OTHER
#define IN_END13   OTHER
#endif
#define PROPERTY(versions, type, name, dimension, ...) IN_##versions(name)
SIZE(PROPERTIES, struct cudaDeviceProp);
#include "cuda/properties.def"

VALUE(CUDA_INVALID_VALUE, cudaErrorInvalidValue);
VALUE(CUDA_LAUNCH_OUT_OF_RESOURCES, cudaErrorLaunchOutOfResources);
VALUE(CUDA_COOPERATIVE_LAUNCH_TOO_LARGE, cudaErrorCooperativeLaunchTooLarge);
VALUE(CUDA_NO_KERNEL_IMAGE_FOR_DEVICE, cudaErrorNoKernelImageForDevice);
VALUE(CUDA_STREAM_CAPTURE_UNJOINED, cudaErrorStreamCaptureUnjoined);
VALUE(CUDA_NOT_SUPPORTED, cudaErrorNotSupported);

SIZE(struct cuda_dim3, dim3);
SIZE(struct cuda_pitched_ptr, struct cudaPitchedPtr);
AT(struct cuda_pitched_ptr, ysize, struct cudaPitchedPtr, ysize);
SIZE(struct cuda_extent, struct cudaExtent);
SIZE(struct cuda_pos, struct cudaPos);
SIZE(struct cuda_channel, struct cudaChannelFormatDesc);
VALUE(TEXTURE_FLOAT, cudaChannelFormatKindFloat);
VALUE(TEXTURE_BORDER, cudaAddressModeBorder);
VALUE(RESOURCE_PITCH_2D, cudaResourceTypePitch2D);
AT(struct cuda_resource, as.array, struct cudaResourceDesc, res.array.array);
AT(struct cuda_resource, as.memory.channel, struct cudaResourceDesc, res.linear.desc);
AT(struct cuda_resource, as.memory.width, struct cudaResourceDesc, res.linear.sizeInBytes);
AT(struct cuda_resource, as.memory.pitch, struct cudaResourceDesc, res.pitch2D.pitchInBytes);
AT(struct cuda_texture, linear, struct cudaTextureDesc, filterMode);
AT(struct cuda_texture, fraction, struct cudaTextureDesc, readMode);
AT(struct cuda_texture, border, struct cudaTextureDesc, borderColor);
AT(struct cuda_texture, normalized, struct cudaTextureDesc, normalizedCoords);
AT(struct cuda_texture, mipmap_linear, struct cudaTextureDesc, mipmapFilterMode);
AT(struct cuda_texture, mipmap_max, struct cudaTextureDesc, maxMipmapLevelClamp);
SIZE(struct cuda_copy_3d, struct cudaMemcpy3DParms);
AT(struct cuda_copy_3d, src, struct cudaMemcpy3DParms, srcPtr);
AT(struct cuda_copy_3d, dst_pos, struct cudaMemcpy3DParms, dstPos);
AT(struct cuda_copy_3d, extent, struct cudaMemcpy3DParms, extent);
AT(struct cuda_copy_3d, kind, struct cudaMemcpy3DParms, kind);
VALUE(COPY_DEFAULT, cudaMemcpyDefault);
VALUE(COPY_DEVICE_TO_HOST, cudaMemcpyDeviceToHost);
VALUE(MEMORY_MANAGED, cudaMemoryTypeManaged);
AT(struct cuda_pointer_attributes, device_pointer, struct cudaPointerAttributes, devicePointer);
AT(struct cuda_pointer_attributes, host_pointer, struct cudaPointerAttributes, hostPointer);
AT(struct cuda_func_attributes, local_bytes, struct cudaFuncAttributes, localSizeBytes);
AT(struct cuda_func_attributes, binary_version, struct cudaFuncAttributes, binaryVersion);
AT(struct cuda_func_attributes, carveout_percent, struct cudaFuncAttributes,
   preferredShmemCarveout);
VALUE(FUNC_MAX_DYNAMIC_SHARED, cudaFuncAttributeMaxDynamicSharedMemorySize);
VALUE(FUNC_CARVEOUT, cudaFuncAttributePreferredSharedMemoryCarveout);
VALUE(LIMIT_PERSISTING_L2, cudaLimitPersistingL2CacheSize);
VALUE(LIMIT_MALLOC_HEAP, cudaLimitMallocHeapSize);
VALUE(CAPTURE_INVALIDATED, cudaStreamCaptureStatusInvalidated);

SIZE(struct cuda_kernel_node, struct cudaKernelNodeParams);
AT(struct cuda_kernel_node, arguments, struct cudaKernelNodeParams, kernelParams);
SIZE(struct cuda_fill_node, struct cudaMemsetParams);
AT(struct cuda_fill_node, element, struct cudaMemsetParams, elementSize);
AT(struct cuda_fill_node, height, struct cudaMemsetParams, height);
SIZE(struct cuda_host_node, struct cudaHostNodeParams);
SIZE(struct cuda_mem_location, struct cudaMemLocation);
SIZE(struct cuda_access_desc, struct cudaMemAccessDesc);
SIZE(struct cuda_pool_props, struct cudaMemPoolProps);
SIZE(struct cuda_alloc_node, struct cudaMemAllocNodeParams);
AT(struct cuda_alloc_node, pointer, struct cudaMemAllocNodeParams, dptr);
AT(struct cuda_pool_props, location, struct cudaMemPoolProps, location);
VALUE(POOL_USED_HIGH, cudaMemPoolAttrUsedMemHigh);
VALUE(POOL_RELEASE_THRESHOLD, cudaMemPoolAttrReleaseThreshold);

#if CUDART_VERSION >= 11080
SIZE(struct cuda_launch_attribute, cudaLaunchAttribute);
AT(struct cuda_launch_attribute, value, cudaLaunchAttribute, val);
SIZE(struct cuda_launch_config, cudaLaunchConfig_t);
AT(struct cuda_launch_config, stream, cudaLaunchConfig_t, stream);
AT(struct cuda_launch_config, attribute_count, cudaLaunchConfig_t, numAttrs);
VALUE(LAUNCH_COOPERATIVE, cudaLaunchAttributeCooperative);
VALUE(LAUNCH_CLUSTER, cudaLaunchAttributeClusterDimension);
#endif

#if CUDART_VERSION >= 12000
SIZE(struct cuda_func_attributes, struct cudaFuncAttributes);
SIZE(struct cuda_instantiate_params, cudaGraphInstantiateParams);
SIZE(struct cuda_update_result, cudaGraphExecUpdateResultInfo);
VALUE(UPDATE_FUNCTION_CHANGED, cudaGraphExecUpdateErrorFunctionChanged);
SIZE(struct cuda_node_params, struct cudaGraphNodeParams);
AT(struct cuda_node_params, as.copy, struct cudaGraphNodeParams, memcpy);
AT(struct cuda_copy_node, copy, struct cudaMemcpyNodeParams, copyParams);
#endif

#if CUDART_VERSION >= 12030
SIZE(struct cuda_edge, cudaGraphEdgeData);
#endif

#if CUDART_VERSION >= 13000
SIZE(struct cuda_pointer_attributes, struct cudaPointerAttributes);
VALUE(LAUNCH_CARVEOUT, cudaLaunchAttributePreferredSharedMemoryCarveout);
#endif

/* The driver API. */
SIZE(struct driver_copy, CUDA_MEMCPY2D);
AT(struct driver_copy, dst, CUDA_MEMCPY2D, dstXInBytes);
AT(struct driver_copy, src.array, CUDA_MEMCPY2D, srcArray);
SIZE(struct driver_copy_3d, CUDA_MEMCPY3D);
SIZE(struct driver_copy_3d, CUDA_MEMCPY3D_PEER);
AT(struct driver_copy_3d, src.level, CUDA_MEMCPY3D, srcLOD);
AT(struct driver_copy_3d, src.array, CUDA_MEMCPY3D, srcArray);
AT(struct driver_copy_3d, src.height, CUDA_MEMCPY3D, srcHeight);
AT(struct driver_copy_3d, dst, CUDA_MEMCPY3D, dstXInBytes);
AT(struct driver_copy_3d, width, CUDA_MEMCPY3D, WidthInBytes);
VALUE(SIDE_HOST, CU_MEMORYTYPE_HOST);
VALUE(SIDE_UNIFIED, CU_MEMORYTYPE_UNIFIED);
SIZE(struct driver_array, CUDA_ARRAY_DESCRIPTOR);
AT(struct driver_array, channels, CUDA_ARRAY_DESCRIPTOR, NumChannels);
SIZE(struct driver_array_3d, CUDA_ARRAY3D_DESCRIPTOR);
AT(struct driver_array_3d, flags, CUDA_ARRAY3D_DESCRIPTOR, Flags);
SIZE(struct driver_resource, CUDA_RESOURCE_DESC);
VALUE(RESOURCE_PITCH_2D, CU_RESOURCE_TYPE_PITCH2D);
AT(struct driver_resource, as.memory.format, CUDA_RESOURCE_DESC, res.linear.format);
AT(struct driver_resource, as.memory.width, CUDA_RESOURCE_DESC, res.linear.sizeInBytes);
AT(struct driver_resource, as.memory.pitch, CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes);
AT(struct driver_resource, flags, CUDA_RESOURCE_DESC, flags);
SIZE(struct driver_texture, CUDA_TEXTURE_DESC);
AT(struct driver_texture, flags, CUDA_TEXTURE_DESC, flags);
AT(struct driver_texture, border, CUDA_TEXTURE_DESC, borderColor);
VALUE(TEXTURE_AS_INTEGER, CU_TRSF_READ_AS_INTEGER);
VALUE(TEXTURE_NORMALIZED, CU_TRSF_NORMALIZED_COORDINATES);
VALUE(TEXTURE_SRGB, CU_TRSF_SRGB);
#if CUDART_VERSION >= 12000
SIZE(struct driver_kernel_node, CUDA_KERNEL_NODE_PARAMS);
AT(struct driver_kernel_node, node.arguments, CUDA_KERNEL_NODE_PARAMS, kernelParams);
AT(struct driver_kernel_node, kernel, CUDA_KERNEL_NODE_PARAMS, kern);
#endif
#if CUDART_VERSION >= 12020
SIZE(struct driver_copy_node, CUDA_MEMCPY_NODE_PARAMS);
AT(struct driver_copy_node, copy, CUDA_MEMCPY_NODE_PARAMS, copyParams);
SIZE(struct driver_node_params, CUgraphNodeParams);
AT(struct driver_node_params, as.copy, CUgraphNodeParams, memcpy);
#endif
