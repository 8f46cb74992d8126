#include "liaison/liaison.hpp"

#include <gtest/gtest.h>

// Who includes liaison.hpp needs no headers of what stands below it.
#if defined(FLINT_H) || defined(FMPQ_H) || defined(FMPZ_H) || defined(ARB_H) || defined(__GMP_H__) || \
    defined(LLVM_CONFIG_H) || defined(EIGEN_CORE_H)
#error "liaison.hpp lets the headers of another library through"
#endif

namespace liaison {
namespace {

TEST(Umbrella, a_model_can_be_owned_without_knowing_what_it_is_made_of) {
  const auto loaded = Mechanism::from_text("coord x\nkinetic x'^2/2\n");
  EXPECT_TRUE(loaded) << loaded.text();
}

}  // namespace
}  // namespace liaison
