#pragma once

#include <map>
#include <string>

#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanism/parts.hpp"
#include "problems.hpp"

/// What `check` shows of decided claims.
namespace liaison::cli {

struct Tally {
  std::map<std::string, int> passed;  ///< by status; misprints apart
  int failed = 0;

  int total() const;
  void add(const ClaimResult& result);
  std::string describe() const;  ///< "3 claims: 2 proved, 1 NOT PASSED"
};

/// One line, and why where that is of interest; at once, also into a pipe.
void print_result(const ClaimResult& result, bool verbose);
Json to_json(const MechanismParts& parts, const ClaimResult& result);

}  // namespace liaison::cli
