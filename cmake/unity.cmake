# Sources compiled in groups of about two thousand lines: less processor time for a build from nothing, and more after a change
# of one source. For the sanitizers (LIAISON_UNITY); tools/unity_groups.py says which sources go together.
option(LIAISON_UNITY "Compile sources in groups: quicker from nothing, slower after a change" OFF)
if(LIAISON_UNITY)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()

# liaison_unity(TARGET): after its sources are known, in the directory that made it.
function(liaison_unity target)
  if(NOT LIAISON_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(files)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    if(source MATCHES "\\.cpp$" AND EXISTS "${source}")  # what the build makes stays alone
      list(APPEND files "${source}")
    endif()
  endforeach()
  execute_process(COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/unity_groups.py"
                          "${PROJECT_SOURCE_DIR}/include,${PROJECT_SOURCE_DIR}/src,${PROJECT_SOURCE_DIR}/tests" ${files}
                  OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([0-9]+) (.*)$" line "${line}")
    set_source_files_properties("${CMAKE_MATCH_2}" PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Where GCC inlines more of one source into another it sees overruns in std::string's own operator= and null where a method
  # asks for nothing, and a source that is included is to it a header.
  target_compile_options(${target} PRIVATE
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread;-Wno-nonnull;-Wno-subobject-linkage>)
endfunction()
