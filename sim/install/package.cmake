# What the Python package reads: the public headers without directives, as cffi parses declarations.
set(cdef_stubs ${PROJECT_BINARY_DIR}/python/stubs)
foreach(header stdbool stddef stdint stdio)
  file(WRITE ${cdef_stubs}/${header}.h "")
endforeach()
set(SIMSM_CDEF ${PROJECT_BINARY_DIR}/python/share/simsm/simsm_cdef.h)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/python/share/simsm)
file(GLOB public_headers CONFIGURE_DEPENDS include/simsm/*.h include/simsm/defs/*.def)
add_custom_command(OUTPUT ${SIMSM_CDEF}
  COMMAND ${CMAKE_C_COMPILER} -E -P -nostdinc "-D__attribute__(x)=" -I ${cdef_stubs} -I ${PROJECT_SOURCE_DIR}/include
    ${PROJECT_SOURCE_DIR}/include/simsm/simsm.h -o ${SIMSM_CDEF}
  DEPENDS ${public_headers} VERBATIM)
add_custom_target(simsm_cdef ALL DEPENDS ${SIMSM_CDEF})
if(BUILD_SHARED_LIBS)
  install(FILES ${SIMSM_CDEF} DESTINATION ${CMAKE_INSTALL_DATADIR}/simsm)
endif()

# `cpack` makes a package of Debian (./dev deb), of which somebody is the maintainer:
# cpack -D "CPACK_PACKAGE_CONTACT=NAME <ADDRESS>".
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME simsm)
set(CPACK_PACKAGE_VENDOR simsm)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Simulates the streaming multiprocessors of a GPU, warp by warp and
cycle by cycle, and reports what each warp did in every cycle and why. It
runs traces that people write, and compiled CUDA programs as they are,
without a GPU and without the CUDA toolkit. With the viewer, the library
and its headers.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS fonts-dejavu-core) # the text of windows and pictures
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "librsvg2-bin, pkg-config")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/triggers)
# What Debian wants in its own form: copyright, changelog, packed manual pages.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
include(CPack)
