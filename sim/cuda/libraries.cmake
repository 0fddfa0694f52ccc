# The libraries that `simsm run` gives to programs: libcuda.so.1, libcudart.so.13, .12 and .11.0,
# libnvToolsExt.so.1 and libnvidia-ml.so.1, in PROJECT_BINARY_DIR/cuda. No other program uses them, so they have no headers.
file(GLOB cuda_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cuda/*.c ${CMAKE_CURRENT_SOURCE_DIR}/cuda/api/*.c
     ${CMAKE_CURRENT_SOURCE_DIR}/cuda/abi/*.c ${CMAKE_CURRENT_SOURCE_DIR}/cuda/driver/*.c)

function(simsm_cuda_settings target)
  simsm_include_roots(${target} sim/cuda)
  target_compile_definitions(${target} PRIVATE ${SIMSM_DEFINITIONS})
  target_link_libraries(${target} PRIVATE simsm_warnings)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

add_library(simsm_cuda OBJECT ${cuda_sources})
simsm_cuda_settings(simsm_cuda)
target_link_libraries(simsm_cuda PRIVATE PkgConfig::DW)

# The driver API, with the whole simulator and the runtime API of all toolkits.
set(map ${CMAKE_CURRENT_SOURCE_DIR}/cuda/driver/driver.map)
add_library(cuda_driver SHARED $<TARGET_OBJECTS:simsm_cuda> ${objects})
simsm_cuda_settings(cuda_driver)
target_link_libraries(cuda_driver PRIVATE ${dependencies} PkgConfig::DW)
target_link_options(cuda_driver PRIVATE ${whole_program} LINKER:--version-script=${map} LINKER:-soname,libcuda.so.1
  LINKER:-Bsymbolic LINKER:-z,nodelete)
set_target_properties(cuda_driver PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME libcuda.so.1 NO_SONAME ON
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/cuda LINK_DEPENDS ${map} LINKER_LANGUAGE C)
list(APPEND cudarts cuda_driver)

# The runtime API of each toolkit: passes calls on to the libcuda.so.1 beside it (DT_RPATH, which the loader
# searches before LD_LIBRARY_PATH).
enable_language(ASM)
foreach(version 13 12 11.0)
  string(REGEX REPLACE "[.].*" "" toolkit ${version})
  set(CUDART_SONAME libcudart.so.${version})
  set(map ${CMAKE_CURRENT_BINARY_DIR}/cudart_${toolkit}.map)
  configure_file(cuda/cudart/cudart.map.in ${map} @ONLY)
  add_library(cudart_${toolkit} MODULE cuda/cudart/cudart.c cuda/cudart/stubs.S)
  simsm_cuda_settings(cudart_${toolkit})
  target_compile_definitions(cudart_${toolkit} PRIVATE CUDART_SONAME="${CUDART_SONAME}" CUDART_TOOLKIT=${toolkit})
  target_link_libraries(cudart_${toolkit} PRIVATE cuda_driver)
  target_link_options(cudart_${toolkit} PRIVATE LINKER:--version-script=${map} LINKER:-soname,${CUDART_SONAME}
    LINKER:-z,nodelete LINKER:--disable-new-dtags)
  set_target_properties(cudart_${toolkit} PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME ${CUDART_SONAME}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/cuda LINK_DEPENDS ${map} INSTALL_RPATH "$ORIGIN"
    BUILD_WITH_INSTALL_RPATH ON)
  list(APPEND cudarts cudart_${toolkit})
endforeach()

# NVTX: ranges that the program names, for the report. libcuda.so.1 asks it by dlsym.
file(GLOB nvtx_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cuda/nvtx/*.c)
set(map ${CMAKE_CURRENT_SOURCE_DIR}/cuda/nvtx/nvtx.map)
add_library(cuda_nvtx MODULE ${nvtx_sources})
simsm_cuda_settings(cuda_nvtx)
target_link_libraries(cuda_nvtx PRIVATE Threads::Threads)
target_link_options(cuda_nvtx PRIVATE LINKER:--version-script=${map} LINKER:-soname,libnvToolsExt.so.1 LINKER:-Bsymbolic LINKER:-z,nodelete)
set_target_properties(cuda_nvtx PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME libnvToolsExt.so.1
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/cuda LINK_DEPENDS ${map})
list(APPEND cudarts cuda_nvtx)

# NVML: what programs ask about GPUs. The command's `simsm smi` asks the same functions.
file(GLOB nvml_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cuda/nvml/*.c)
add_library(simsm_nvml OBJECT ${nvml_sources})
simsm_cuda_settings(simsm_nvml)

# A static library of the same, for unit tests and for the command.
add_library(simsm_cuda_internal STATIC $<TARGET_OBJECTS:simsm_cuda> $<TARGET_OBJECTS:simsm_nvml>)
simsm_cuda_settings(simsm_cuda_internal)
target_link_libraries(simsm_cuda_internal PUBLIC simsm_internal PkgConfig::DW ${CMAKE_DL_LIBS})

# libnvidia-ml.so.1 takes of the static library what reads the configuration.
set(map ${CMAKE_CURRENT_SOURCE_DIR}/cuda/nvml/nvml.map)
add_library(cuda_nvml MODULE $<TARGET_OBJECTS:simsm_nvml>)
target_link_libraries(cuda_nvml PRIVATE simsm_cuda_internal Threads::Threads ${CMAKE_DL_LIBS})
target_link_options(cuda_nvml PRIVATE LINKER:--version-script=${map} LINKER:-soname,libnvidia-ml.so.1
  LINKER:-Bsymbolic LINKER:-z,nodelete LINKER:--gc-sections)
set_target_properties(cuda_nvml PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME libnvidia-ml.so.1
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/cuda LINK_DEPENDS ${map} LINKER_LANGUAGE C)
list(APPEND cudarts cuda_nvml)

# nvidia-smi, beside the libraries, in the build tree and as it is installed: it finds the command from there.
set(SIMSM_FROM_CUDA ../simsm)
configure_file(cuda/nvml/nvidia-smi.in ${PROJECT_BINARY_DIR}/cuda/nvidia-smi @ONLY USE_SOURCE_PERMISSIONS)
file(RELATIVE_PATH SIMSM_FROM_CUDA ${CMAKE_INSTALL_FULL_LIBDIR}/simsm ${CMAKE_INSTALL_FULL_BINDIR}/simsm)
configure_file(cuda/nvml/nvidia-smi.in ${CMAKE_CURRENT_BINARY_DIR}/nvidia-smi @ONLY USE_SOURCE_PERMISSIONS)
install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/nvidia-smi DESTINATION ${CMAKE_INSTALL_LIBDIR}/simsm)

# What Python reads for PyTorch and Triton, beside the libraries.
configure_file(cuda/python/sitecustomize.py ${PROJECT_BINARY_DIR}/cuda/python/sitecustomize.py COPYONLY)
install(FILES cuda/python/sitecustomize.py DESTINATION ${CMAKE_INSTALL_LIBDIR}/simsm/python)

add_dependencies(simsm_command ${cudarts})
file(RELATIVE_PATH from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/simsm)
target_compile_definitions(simsm_command PRIVATE SIMSM_CUDADIR="${CMAKE_INSTALL_FULL_LIBDIR}/simsm"
  SIMSM_CUDADIR_FROM_BIN="${from_bin}" SIMSM_NVTX="libnvToolsExt.so.1")
target_link_libraries(simsm_command PRIVATE simsm_cuda_internal PkgConfig::ELF)
install(TARGETS ${cudarts} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/simsm)
