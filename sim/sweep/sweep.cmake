# The floors of sweeps, which only the command has: they need SQLite.
file(GLOB sweep_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/sweep/*.c ${CMAKE_CURRENT_SOURCE_DIR}/results/*.c)

# What decides the figures of a run, so that figures of another simulator are told apart.
set(deciding include/simsm sim/base sim/model sim/config sim/occupancy sim/front sim/mem sim/policy
    sim/core sim/gpu sim/module sim/api sim/cuda sim/report/metrics sim/sample sim/sweep/outcome)
set(deciding_files)
foreach(folder IN LISTS deciding)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/${folder}*.c ${PROJECT_SOURCE_DIR}/${folder}*.h ${PROJECT_SOURCE_DIR}/${folder}*.def
    ${PROJECT_SOURCE_DIR}/${folder}/*.c ${PROJECT_SOURCE_DIR}/${folder}/*.h ${PROJECT_SOURCE_DIR}/${folder}/*.def)
  list(APPEND deciding_files ${files})
endforeach()
list(REMOVE_DUPLICATES deciding_files)
list(SORT deciding_files)
string(REPLACE ";" "\n" lines "${deciding_files}")
set(sources_list ${CMAKE_CURRENT_BINARY_DIR}/sweep/sources.txt)
set(sources_header ${CMAKE_CURRENT_BINARY_DIR}/sweep/sweep_sources.h)
file(GENERATE OUTPUT ${sources_list} CONTENT "${lines}\n")
list(TRANSFORM deciding_files PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE deciding_paths)
add_custom_command(OUTPUT ${sources_header}
  COMMAND ${CMAKE_COMMAND} -DLIST=${sources_list} -DFOLDER=${PROJECT_SOURCE_DIR} -DOUTPUT=${sources_header}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/sweep/sources.cmake
  DEPENDS ${deciding_paths} ${sources_list} ${CMAKE_CURRENT_SOURCE_DIR}/sweep/sources.cmake)

add_library(simsm_sweep STATIC ${sweep_sources} ${sources_header})
target_include_directories(simsm_sweep PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR})
target_compile_definitions(simsm_sweep PRIVATE ${SIMSM_DEFINITIONS})
target_link_libraries(simsm_sweep PRIVATE simsm_warnings PkgConfig::YAML PkgConfig::JANSSON
  PUBLIC simsm_internal PkgConfig::SQLITE PkgConfig::NETTLE)
target_link_libraries(simsm_command PRIVATE simsm_sweep)
