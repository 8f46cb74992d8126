#pragma once

#include <utility>
#include <vector>

#include "liaison/forms/form.hpp"

/// Structure equations and differentials as forms, and back.
namespace liaison {

/// d theta^index.
Form structure_form(const CoframePtr& coframe, std::size_t index);
/// The differential of a scalar coordinate.
Form coordinate_differential(const CoframePtr& coframe, std::size_t coordinate);
std::vector<StructureTerm> structure_terms(const Form& two_form);
/// The components of a 1-form that are not spelled zero.
std::vector<std::pair<std::size_t, Expr>> pfaff_components(const Form& one_form);

}  // namespace liaison
