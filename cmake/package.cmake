# ./dev package: a Debian package and an archive that runs wherever it is unpacked. Both hold the program with the module that
# makes machine code, completion and the manual page; for the library there is `cmake --install`.
set(CPACK_PACKAGE_NAME liaison)
set(CPACK_PACKAGE_VENDOR "Liaison")
set(CPACK_PACKAGE_CONTACT "The developers of Liaison")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGE_FILE_NAME "liaison-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_GENERATOR "TGZ;DEB")
set(CPACK_COMPONENTS_ALL program)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # which libraries of the distribution it needs, read from the files
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
