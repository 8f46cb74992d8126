#pragma once

#include <span>
#include <string>

#include "liaison/forms/vector_field.hpp"

/// What the operators ask of their arguments, and the words used when it is not so.
namespace liaison {

/// "(dx, dy, w1)"; long lists are cut.
std::string describe_basis(const Coframe& coframe);
/// Throws mixed_coframes.
void require_same_coframe(const CoframePtr& a, const CoframePtr& b);
/// Throws wrong_degree; `what` begins the sentence: "a generator of an ideal".
void require_degree(const Form& a, std::size_t degree, const std::string& what);
/// Throws wrong_degree or mixed_coframes unless all are 1-forms on the coframe.
void require_pfaff_forms(std::span<const Form> forms, const CoframePtr& coframe, const std::string& what);

}  // namespace liaison
