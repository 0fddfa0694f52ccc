# The translations (*.po) as a C file: ${LANGUAGE_CATALOGUES}. Without msgfmt the programs speak English.
set(languages ${CMAKE_CURRENT_LIST_DIR})
file(GLOB po_files CONFIGURE_DEPENDS ${languages}/*.po)
find_program(MSGFMT msgfmt)
if(NOT MSGFMT)
  message(STATUS "English only: msgfmt (gettext) is missing")
  set(MSGFMT)
  set(po_files)
endif()
set(LANGUAGE_CATALOGUES ${CMAKE_CURRENT_BINARY_DIR}/catalogues.c)
string(REPLACE ";" "," po_list "${po_files}")
add_custom_command(OUTPUT ${LANGUAGE_CATALOGUES}
  COMMAND ${CMAKE_COMMAND} -DMSGFMT=${MSGFMT} -DFILES=${po_list} -DOUT=${LANGUAGE_CATALOGUES}
    -P ${languages}/catalogues.cmake
  DEPENDS ${po_files} ${languages}/catalogues.cmake VERBATIM)
