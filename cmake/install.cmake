# The installed package: find_package(liaison) gives liaison::expr ... and the umbrella liaison::liaison.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(liaison_umbrella INTERFACE)
add_library(liaison::liaison ALIAS liaison_umbrella)
set_target_properties(liaison_umbrella PROPERTIES EXPORT_NAME liaison)
get_property(LIAISON_LAYERS GLOBAL PROPERTY LIAISON_LAYERS)
target_link_libraries(liaison_umbrella INTERFACE ${LIAISON_LAYERS})

if(LIAISON_INSTALL)
  set(LIAISON_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/liaison")
  install(TARGETS ${LIAISON_LAYERS} liaison_umbrella EXPORT liaisonTargets FILE_SET HEADERS)
  install(EXPORT liaisonTargets NAMESPACE liaison:: DESTINATION "${LIAISON_PACKAGE_DIR}")
  configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/liaisonConfig.cmake.in"
                                "${PROJECT_BINARY_DIR}/liaisonConfig.cmake"
                                INSTALL_DESTINATION "${LIAISON_PACKAGE_DIR}")
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/liaisonConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/liaisonConfig.cmake" "${PROJECT_BINARY_DIR}/liaisonConfigVersion.cmake"
                "${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake" DESTINATION "${LIAISON_PACKAGE_DIR}")
endif()
