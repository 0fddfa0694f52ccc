# cmake --install: the command, the library with its headers and pkg-config file, the examples, the
# documents.
install(TARGETS simsm_command RUNTIME)
install(TARGETS simsm)
# Linking a program with the static library must not optimise simsm anew: the compiler's intermediate
# code is removed, the machine code beside it remains.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT BUILD_SHARED_LIBS)
  install(CODE "execute_process(COMMAND \"${CMAKE_OBJCOPY}\" --wildcard -R .gnu.lto_* -R .gnu.debuglto_*
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:simsm>\"
    RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR \"libsimsm.a: the compiler's intermediate code cannot be removed\")
  endif()")
endif()
install(DIRECTORY include/simsm TYPE INCLUDE FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(DIRECTORY configs traces DESTINATION ${CMAKE_INSTALL_DATADIR}/simsm
  FILES_MATCHING PATTERN "*.yaml" PATTERN "*.trace" PATTERN "*.md" PATTERN "*.cubin")
install(DIRECTORY docs/lessons DESTINATION ${CMAKE_INSTALL_DATADIR}/simsm FILES_MATCHING PATTERN "*.md")
install(DIRECTORY docs/ TYPE DOC FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg")
install(FILES README.md README.zh.md LICENSE TYPE DOC)
install(FILES docs/simsm.1 docs/simsm-view.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# Each shell looks for completions in a folder and by a name of its own.
install(FILES sim/install/completions/simsm.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME simsm)
install(FILES sim/install/completions/simsm.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _simsm)
install(FILES sim/install/completions/simsm.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# simsm.pc finds its prefix from where it lies, so that an installed tree can be moved.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH PC_PREFIX /prefix/${pc_dir} /prefix)
string(REGEX REPLACE "/$" "" PC_PREFIX "${PC_PREFIX}")

# A shared library brings its dependencies along; with a static one every program must name them,
# whether or not it asks pkg-config for --static.
set(requires "yaml-0.1, jansson, libzstd, liblzma, libelf, liblz4")
set(libs "-pthread -lm -ldl")
if(BUILD_SHARED_LIBS)
  set(PC_REQUIRES_PRIVATE "${requires}")
  set(PC_LIBS_PRIVATE "${libs}")
else()
  set(PC_REQUIRES "${requires}")
  set(PC_LIBS "${libs}")
endif()
configure_file(sim/install/simsm.pc.in simsm.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/simsm.pc DESTINATION ${pc_dir})
