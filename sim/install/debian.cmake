# Runs within cpack, on the tree that becomes a package of Debian.
set(tree ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
set(doc ${tree}/doc/simsm)
file(RENAME ${doc}/LICENSE ${doc}/copyright)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog "simsm (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
# Code of GPUs is no program of this machine, though it is ELF.
set(overrides "")
foreach(tag arch-dependent-file-in-usr-share binary-from-other-architecture statically-linked-binary unstripped-binary-or-object)
  string(APPEND overrides "simsm: ${tag} [usr/share/simsm/traces/*.cubin]\n")
endforeach()
file(WRITE ${tree}/lintian/overrides/simsm "${overrides}")
file(GLOB packed ${tree}/man/man1/*.1 ${doc}/changelog)
execute_process(COMMAND gzip -9nf ${packed} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "gzip cannot pack the manual pages")
endif()
