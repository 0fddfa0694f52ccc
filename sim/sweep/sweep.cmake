# What decides the figures of a run, so that figures of another simulator are told apart.
set(deciding include/simsm sim/base sim/model sim/config sim/occupancy sim/front sim/input sim/trace
    sim/record sim/accelsim sim/sass sim/exec sim/mem sim/policy sim/core sim/gpu sim/plugin sim/api sim/cuda sim/report/metrics sim/sample sim/sweep/sweep_outcome)
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

# The floors of sweeps, which only the command has: they need SQLite.
foreach(folder sweep results)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.c)
  add_library(simsm_${folder}_objects OBJECT ${sources})
  simsm_include_roots(simsm_${folder}_objects sim/${folder})
  target_compile_definitions(simsm_${folder}_objects PRIVATE ${SIMSM_DEFINITIONS})
  target_link_libraries(simsm_${folder}_objects PRIVATE simsm_warnings PkgConfig::YAML
    PkgConfig::JANSSON PkgConfig::SQLITE PkgConfig::NETTLE)
endforeach()
target_sources(simsm_sweep_objects PRIVATE ${sources_header})
target_include_directories(simsm_sweep_objects PRIVATE ${CMAKE_CURRENT_BINARY_DIR})

add_library(simsm_sweep STATIC $<TARGET_OBJECTS:simsm_sweep_objects> $<TARGET_OBJECTS:simsm_results_objects>)
set_target_properties(simsm_sweep PROPERTIES LINKER_LANGUAGE C)
target_link_libraries(simsm_sweep PUBLIC simsm_internal PkgConfig::SQLITE PkgConfig::NETTLE PRIVATE PkgConfig::YAML PkgConfig::JANSSON)
target_link_libraries(simsm_command PRIVATE simsm_sweep)
