#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "builder.hpp"
#include "liaison/model/integrals.hpp"
#include "text.hpp"

namespace liaison {

namespace {

const Context claim_context{"a claim", true, true, true, true, true};
const Context conserved_context{"a conserved quantity", true, true, false, false, true};
const Context density_context{"a density", true, true, false, false, true};
const Context tolerance_context{"a tolerance", false, false, false, false, false, false};
const Context after_context{"the time behind `after`", false, false, false, false, false, false};

/// What was written, on one line.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (char c : text) {
    const bool space = c == ' ' || (c >= '\t' && c <= '\r');
    if (!space) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return line;
}

bool is_in_range(double tolerance) {
  return tolerance > 0 && std::isfinite(tolerance);
}

}  // namespace

std::string Builder::list_of_equations(const syntax::ClaimStatement& syntax) const {
  std::string list;
  for (const auto& [left, right] : syntax.equations) {
    list +=
        fmt::format("{}{} == {}", list.empty() ? "equations { " : "; ",
                    on_one_line(text_at(masked_.text(), left)), on_one_line(text_at(masked_.text(), right)));
  }
  const std::string whole = on_one_line(text_at(masked_.text(), syntax.text));
  const std::size_t end = whole.rfind('}');  // behind the equations there may be a state
  return list + " }" + (end == std::string::npos ? "" : whole.substr(end + 1));
}

void Builder::build(const syntax::ClaimStatement& syntax, const Statement& statement) {
  Claim claim;
  claim.kind = syntax.kind;
  claim.misprint = syntax.misprint;
  claim.expected = syntax.truth != syntax.misprint;
  claim.text = claim.kind == ClaimKind::equations ? list_of_equations(syntax)
                                                  : on_one_line(text_at(masked_.text(), syntax.text));
  claim.span = statement.span;
  bool complete = true;
  if (syntax.name) {
    claim.name = syntax.name->text;
    const auto [known, is_new] = claims_.emplace(claim.name, syntax.name->span);
    if (!is_new) {
      Diagnostic& diagnostic =
          reports_.add("L0407", syntax.name->span,
                       fmt::format("two claims are named `{}`", excerpt(claim.name)), "choose another name");
      diagnostic.notes.push_back({known->second, "the first one is"});
    }
  }
  for (const syntax::Name& constraint : syntax.constraints) {
    if (std::find(claim.constraints.begin(), claim.constraints.end(), constraint.text) !=
        claim.constraints.end()) {
      reports_.add("L0407", constraint.span,
                   fmt::format("`{}` is named twice in this claim", excerpt(constraint.text)),
                   "name each relation once");
      complete = false;
      continue;
    }
    claim.constraints.push_back(constraint.text);
    if (scope_.is_constraint(constraint.text)) {
      scope_.ask_for_constraint(constraint);
      continue;
    }
    scope_.report_unknown_constraint(constraint.text, constraint.span);
    complete = false;
  }
  claim.at = read_state(syntax.at, true);
  add_turned(syntax.turned, claim.at);
  // Values may use the parameters, wherever these stand.
  std::stable_partition(claim.at.begin(), claim.at.end(), [](const InitialValue& given) {
    return given.symbol.symbol().kind == SymbolKind::parameter;
  });
  read_claim_numbers(syntax, claim);
  scope_.take_domain();
  scope_.take_written();
  scope_.take_corners();
  const bool readable = build_claim_body(syntax, claim);
  add_requirements(claim.domain, scope_.take_domain());
  claim.written = scope_.take_written();
  claim.corners = scope_.take_corners();
  if (readable && complete) system_.claims.push_back(std::move(claim));
}

/// `within` and `after`.
void Builder::read_claim_numbers(const syntax::ClaimStatement& syntax, Claim& claim) {
  if (syntax.within) {
    const Expr within = scope_.read(*syntax.within, tolerance_context);
    if (claim.kind != ClaimKind::equality) {
      reports_.add("L0433", *syntax.within, "only an equality holds within a tolerance",
                   "remove `within`: what is claimed is true or not");
    } else if (!within.empty() && (!within.is_number() || within.number().sign() <= 0)) {
      reports_.add("L0433", *syntax.within, "a tolerance is a number above 0", "write `within 1e-10`");
    } else if (!within.empty() && !is_in_range(within.number().to_double())) {
      reports_.add("L0433", *syntax.within, "this is beyond the range of a double", "write `within 1e-10`");
    } else if (!within.empty()) {
      claim.within = within.number();
    }
  }
  if (!syntax.after) return;
  const Expr after = scope_.read(*syntax.after, after_context);
  if (claim.kind != ClaimKind::equality) {
    reports_.add("L0438", *syntax.after, "only an equality is claimed after a time",
                 "write `claim x == 1 after 2`");
  } else if (!after.empty() && after.is_number() && after.number().sign() < 0) {
    reports_.add("L0438", *syntax.after, "a motion is followed forwards: the time is not negative",
                 "write `after 0.5`");
  } else {
    claim.after = after;
  }
}

/// What `conserved(...)` or `measure(...)` speaks of: a function on the states.
bool Builder::read_function_on_states(Span span, const Context& context, std::string_view what,
                                      Expr& function) {
  function = scope_.read(span, context);
  if (holds_integral(function)) {
    reports_.add("L0430", span, fmt::format("an integral cannot stand in {}", what),
                 std::string(place_of_integrals));
    return false;
  }
  if (!function.empty()) obligations_.consistent(function, span);
  return !function.empty();
}

bool Builder::build_claim_body(const syntax::ClaimStatement& syntax, Claim& claim) {
  const auto read_sides = [&](Span left_span, Span right_span, Expr& left, Expr& right) {
    left = scope_.read(left_span, claim_context);
    right = scope_.read(right_span, claim_context);
    if (left.empty() || right.empty()) return false;
    if (!syntax.after && (holds_integral(left) || holds_integral(right))) {
      reports_.add("L0430", holds_integral(left) ? left_span : right_span,
                   "an integral along a motion is claimed `after` a time", "write `claim .. == .. after 2`");
      return false;
    }
    obligations_.same(left, left_span, "the left side", right, "the right side");
    return true;
  };
  switch (claim.kind) {
    case ClaimKind::equality: return read_sides(syntax.left, syntax.right, claim.left, claim.right);
    case ClaimKind::conserved:
      return read_function_on_states(syntax.left, conserved_context, "a conserved quantity", claim.conserved);
    case ClaimKind::equations: {
      bool complete = true;
      for (const auto& [left_span, right_span] : syntax.equations) {
        auto& [left, right] = claim.equations.emplace_back();
        complete = read_sides(left_span, right_span, left, right) && complete;
      }
      return complete;
    }
    case ClaimKind::motions:
      claim.motions = syntax.motions;
      return syntax.left.begin == syntax.left.end ||
             read_function_on_states(syntax.left, density_context, "a density", claim.conserved);
    case ClaimKind::compatible:
    case ClaimKind::holonomic:
    case ClaimKind::independent: return true;
  }
  return true;
}

}  // namespace liaison
