# Modules: what programs open when they need it, and find on their run path. Sanitizers open libraries in place of the program,
# whose run path they do not see, and lose the threads' memory of what is opened late: there all is linked.
include(GNUInstallDirs)
set(LIAISON_MODULES "${PROJECT_BINARY_DIR}/modules")

# liaison_module(NAME LAYER SOURCES ...): NAME.so beside the other modules, made with the layer that opens it.
function(liaison_module name layer)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                        LIBRARY_OUTPUT_DIRECTORY "${LIAISON_MODULES}" INSTALL_RPATH_USE_LINK_PATH ON)
  target_compile_features(${name} PRIVATE cxx_std_20)
  add_dependencies(${layer} ${name})
  if(LIAISON_INSTALL)
    install(TARGETS ${name} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/liaison" COMPONENT program)
  endif()
endfunction()

# liaison_run_path(LAYER): who links the layer finds modules; but for what has a run path of its own.
function(liaison_run_path layer)
  if(NOT LIAISON_SANITIZE)
    target_link_options(${layer} INTERFACE
      "$<BUILD_INTERFACE:$<$<NOT:$<BOOL:$<TARGET_PROPERTY:BUILD_RPATH>>>:LINKER:-rpath,${LIAISON_MODULES}>>"
      "$<INSTALL_INTERFACE:LINKER:-rpath,$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}/liaison>")
  endif()
endfunction()

# liaison_late_libraries(LAYER NAME LIBRARIES ...): the layer calls functions of these libraries by LIAISON_LATE; they are opened
# through the module liaison_NAME, which is empty and needs them.
function(liaison_late_libraries layer name)
  if(LIAISON_SANITIZE)
    target_compile_definitions(${layer} PRIVATE LIAISON_LINKED_LIBRARIES=1)
    target_link_libraries(${layer} PRIVATE ${ARGN})
    return()
  endif()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/liaison_${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "namespace {}\n")
  liaison_module(liaison_${name} ${layer} "${source}")
  target_link_options(liaison_${name} PRIVATE LINKER:--no-as-needed)
  target_link_libraries(liaison_${name} PRIVATE ${ARGN})
endfunction()
