# The style and the scripts of HTML pages, as C arrays: ${PAGE_RESOURCES}.
set(page ${CMAKE_CURRENT_LIST_DIR})
set(scripts ${page}/data.js,${page}/cause.js,${page}/draw.js,${page}/sort.js,${page}/input.js)
set(PAGE_RESOURCES ${CMAKE_CURRENT_BINARY_DIR}/resources.c)
add_custom_command(OUTPUT ${PAGE_RESOURCES}
  COMMAND ${CMAKE_COMMAND} -DSTYLE=${page}/page.css -DSCRIPTS=${scripts}
    -DOUT=${PAGE_RESOURCES} -P ${page}/resources.cmake
  DEPENDS ${page}/page.css ${page}/data.js ${page}/cause.js ${page}/draw.js ${page}/sort.js ${page}/input.js ${page}/resources.cmake VERBATIM)
