# Compile through ccache where it is there. Precompiled headers need the sloppiness below, and -fpch-preprocess
# with GCC so that the preprocessed text names the header that is used. Sums of files are not kept by their
# inodes: a header that was just checked out was once taken for the one before it. A precompiled header may come from
# another folder and with other comments than are here, so that `#pragma once` would not know the headers in it
# again: those of include/ have guards. One that lies there is not read when it is made anew (compile_cached).
option(LIAISON_CCACHE "Compile through ccache if it is installed" ${PROJECT_IS_TOP_LEVEL})
find_program(LIAISON_CCACHE_PROGRAM ccache)
if(LIAISON_CCACHE AND LIAISON_CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros
      "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 CCACHE_NOINODECACHE=1
      "${CMAKE_CURRENT_LIST_DIR}/compile_cached" "${LIAISON_CCACHE_PROGRAM}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()
