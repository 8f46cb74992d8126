# What the library links. Read by the build and, installed, by liaisonConfig.cmake.
# FLINT and Arb come from the distribution without CMake packages.
find_path(FLINT_INCLUDE_DIR flint/fmpz.h REQUIRED)
find_library(FLINT_LIBRARY flint REQUIRED)
find_path(ARB_INCLUDE_DIR arb.h REQUIRED)
find_library(ARB_LIBRARY NAMES arb flint-arb REQUIRED)
find_library(GMP_LIBRARY gmp REQUIRED)
find_library(MPFR_LIBRARY mpfr REQUIRED)
find_package(fmt REQUIRED)

# Imported, so that an installed package finds the libraries of its own machine.
if(NOT TARGET liaison_exact)
  add_library(liaison_exact INTERFACE IMPORTED GLOBAL)
  target_include_directories(liaison_exact INTERFACE "${FLINT_INCLUDE_DIR}" "${ARB_INCLUDE_DIR}")
  target_link_libraries(liaison_exact INTERFACE "${ARB_LIBRARY}" "${FLINT_LIBRARY}" "${MPFR_LIBRARY}"
                                                "${GMP_LIBRARY}")
endif()
