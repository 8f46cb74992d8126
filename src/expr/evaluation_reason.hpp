#pragma once

#include <string>

#include "liaison/expr/evaluate.hpp"

namespace liaison {

/// One sentence for people: why the culprit has no value.
std::string evaluation_reason(EvaluationStatus status, Expr culprit);

}  // namespace liaison
