# The floors of the house, from the ground up (docs/architecture.md). A folder sees its own headers and
# those of lower floors, so that a wrong include does not compile.
set(SIM_FLOORS
  "base draw language"
  "config model occupancy options"
  "plugin report timeline"
  "front sanitize"
  "mem record sass"
  "accelsim core exec policy trace"
  "gpu input"
  "api observe"
  "calibrate compare export sample"
  "cuda diff sweep"
  "results"
  "cli")
set(VIZ_FLOORS "canvas" "track" "export view" "app" "html sdl tui" "main web")
# The folders of sim that the viewer may include from.
set(VIZ_BORROWS base draw language model config occupancy report timeline)
# The page for a browser simulates as well.
set(WEB_BORROWS api front input observe record trace)
set(INCLUDE_ROOTS ${PROJECT_BINARY_DIR}/include-roots)

# An include root is a folder with one link, to a folder of the tree: includes are written the same way
# everywhere ("mem/tags.h") and find only what a target may use.
function(simsm_include_root target path) # sim/mem
  get_filename_component(name ${path} NAME)
  if(NOT EXISTS ${INCLUDE_ROOTS}/${path}/${name})
    file(MAKE_DIRECTORY ${INCLUDE_ROOTS}/${path})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${path} ${INCLUDE_ROOTS}/${path}/${name} SYMBOLIC)
  endif()
  target_include_directories(${target} PRIVATE ${INCLUDE_ROOTS}/${path})
endfunction()

# Gives `target`, made from the folder `path`, the include roots of its floor.
function(simsm_include_roots target path) # sim/mem
  get_filename_component(side ${path} DIRECTORY)
  get_filename_component(name ${path} NAME)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  simsm_include_root(${target} ${path})
  if(name STREQUAL policy) # built-in policies include what a user's policy includes: include/simsm
    return()
  endif()
  set(floors ${SIM_FLOORS})
  if(path STREQUAL viz/web)
    foreach(folder IN LISTS WEB_BORROWS)
      simsm_include_root(${target} sim/${folder})
    endforeach()
  endif()
  if(side STREQUAL viz)
    set(floors ${VIZ_FLOORS})
    foreach(folder IN LISTS VIZ_BORROWS)
      simsm_include_root(${target} sim/${folder})
    endforeach()
  endif()
  foreach(floor IN LISTS floors)
    separate_arguments(folders UNIX_COMMAND "${floor}")
    if(name IN_LIST folders)
      return()
    endif()
    foreach(folder IN LISTS folders)
      simsm_include_root(${target} ${side}/${folder})
    endforeach()
  endforeach()
  message(FATAL_ERROR "${path} is on no floor: add it to sim/floors.cmake and docs/architecture.md")
endfunction()
