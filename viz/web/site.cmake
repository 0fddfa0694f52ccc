# Writes the page's files into SITE: index.html, page.css, page.js (the scripts, joined), engine.js
# (the simulator and what runs in the worker, as one function), data.js (configurations, traces and
# lessons).
function(quote text result)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\t" "\\t" text "${text}")
  string(REPLACE "\n" "\\n" text "${text}")
  set(${result} "\"${text}\"" PARENT_SCOPE)
endfunction()

# Adds the files to data.js as an object: their names without ending, and their texts.
function(add_files name files drop)
  set(rows "")
  foreach(file IN LISTS files)
    file(READ ${file} text)
    if(drop)
      string(REGEX REPLACE "\n *#[^\n]*" "" text "${text}") # lines that are comments alone
    endif()
    quote("${text}" text)
    get_filename_component(base ${file} NAME_WE)
    string(APPEND rows "\"${base}\": ${text},\n")
  endforeach()
  file(APPEND ${SITE}/data.js "site.${name} = {\n${rows}};\n")
endfunction()

file(MAKE_DIRECTORY ${SITE})
file(WRITE ${SITE}/data.js "'use strict';\nconst site = {};\n")
file(GLOB configs ${SOURCE}/configs/*.yaml)
file(GLOB examples ${WEB}/*.trace ${SOURCE}/traces/*.trace)
file(GLOB lessons ${SOURCE}/traces/lessons/*.trace)
add_files(configs "${configs}" TRUE)
add_files(examples "${examples}" FALSE)
add_files(traces "${lessons}" FALSE)
file(READ ${WEB}/lessons.json table)
file(APPEND ${SITE}/data.js "site.lessons = ${table};\n")

set(page "")
foreach(script engine_client editor link result occupancy lessons shell)
  file(READ ${WEB}/${script}.js text)
  string(APPEND page "${text}")
endforeach()
file(WRITE ${SITE}/page.js "${page}")

file(READ ${SIMULATOR} simulator)
file(READ ${WEB}/worker.js worker)
file(WRITE ${SITE}/engine.js "function simulatorEngine() {\n${simulator}\n${worker}}\n")
configure_file(${WEB}/page.css ${SITE}/page.css COPYONLY)
configure_file(${WEB}/index.html ${SITE}/index.html COPYONLY)
