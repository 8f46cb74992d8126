# Warnings and sanitizers, for layers, programs and tests alike. Warnings never leave with the exported targets.
function(liaison_compile_options target)
  # A constructor's parameter may have the name of the member that it fills; GCC's plain -Wshadow forbids that.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
                         -Wpedantic $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees overlaps and overruns in std::string's own operator+ (its bugs 105329, 105651).
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
  endif()
  # What GCC sees when it inlines one source of a group into another is no reason to stop: groups change with every source.
  if(LIAISON_WERROR AND NOT LIAISON_UNITY)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(LIAISON_SANITIZE)
    # Left out: checks of every pointer before its use, which double the time to compile; AddressSanitizer meets those errors.
    target_compile_options(${target} PUBLIC -fsanitize=${LIAISON_SANITIZE} -fno-sanitize=null,alignment,object-size,vptr
                           -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${LIAISON_SANITIZE})
  endif()
  if(LIAISON_CHECKS)
    target_compile_definitions(${target} PUBLIC LIAISON_CHECKS=1)
  endif()
endfunction()

# What nearly every source includes.
set(LIAISON_PRECOMPILED_STANDARD <algorithm> <array> <cmath> <functional> <map> <memory> <optional> <set> <span> <string>
    <string_view> <tuple> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)

# liaison_precompile(TARGET HEADERS ...): builds a precompiled header, the standard ones and these of the house.
function(liaison_precompile target)
  set(headers ${ARGN})
  list(TRANSFORM headers PREPEND "${PROJECT_SOURCE_DIR}/include/liaison/")
  target_precompile_headers(${target} PRIVATE ${LIAISON_PRECOMPILED_STANDARD} ${headers})
endfunction()

# liaison_layer(NAME SOURCES ... HEADERS ... LINKS ...): one static library a layer, alias liaison::NAME. Its sources are
# compiled with a precompiled header of their own, PRECOMPILED headers ..., or with that of another layer,
# PRECOMPILED_BY layer: parsing the headers of the layers below costs more than most sources.
function(liaison_layer name)
  cmake_parse_arguments(LAYER "" "PRECOMPILED_BY" "SOURCES;HEADERS;LINKS;PRECOMPILED" ${ARGN})
  set(target liaison_${name})
  add_library(${target} STATIC ${LAYER_SOURCES})
  add_library(liaison::${name} ALIAS ${target})
  set_property(GLOBAL APPEND PROPERTY LIAISON_LAYERS ${target})
  list(TRANSFORM LAYER_HEADERS PREPEND "${PROJECT_SOURCE_DIR}/include/liaison/${name}/")
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include"
                 FILES ${LAYER_HEADERS})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PUBLIC ${LAYER_LINKS} PRIVATE liaison_exact)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")  # what layers share and programs do not see
  liaison_compile_options(${target})
  if(LAYER_PRECOMPILED_BY)
    target_precompile_headers(${target} REUSE_FROM liaison_${LAYER_PRECOMPILED_BY})
  else()
    liaison_precompile(${target} ${LAYER_PRECOMPILED})
  endif()
  liaison_unity(${target})
endfunction()
