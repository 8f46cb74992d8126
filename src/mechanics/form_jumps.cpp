#include "form_jumps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/algebra/switching.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/calculus.hpp"

namespace liaison {

Expr sum_of_squares(Pool& pool, const Form& form) {
  std::vector<Expr> squares;
  for (const auto& [indices, coefficient] : form.terms()) squares.push_back(coefficient * coefficient);
  return pool.add(squares);
}

namespace {

/// The coefficients of a form, each with the surfaces on which it jumps.
class JumpingForm {
 public:
  JumpingForm(Algebra& algebra, const Form& form) : algebra_(algebra), form_(form) {
    for (const auto& [indices, coefficient] : form.terms()) coefficients_.emplace_back(algebra, coefficient);
  }

  /// A surface behind which a leaf does not go on as itself; empty: there is none (proved).
  Expr stopping_surface(const Region& states) const {
    for (const Switching& coefficient : coefficients_) {
      if (!coefficient.jumping_surface().empty()) return coefficient.jumping_surface();
      for (Expr surface : coefficient.surfaces()) {
        if (!goes_on_behind(surface, states)) return surface;
      }
    }
    return {};
  }

 private:
  /// Next to the surface on a side, or on it; nothing where it has no value there.
  std::optional<Form> on_side(Expr surface, int side) const {
    try {
      std::vector<Form::Term> terms = form_.terms();
      for (std::size_t k = 0; k < terms.size(); ++k)
        terms[k].second = coefficients_[k].value({{surface, side}});
      return Form(form_.coframe(), form_.degree(), std::move(terms));
    } catch (const Error& error) {
      if (error.code() == ErrorCode::limit_reached) throw;
      return std::nullopt;
    }
  }

  /// The pull-backs to the surface are the same from both sides and on it: dx - sign(z) dz goes on behind
  /// z = 0, dx - sign(z) dy does not.
  bool goes_on_behind(Expr surface, const Region& states) const {
    Region on_it = states;
    on_it.equations.push_back(surface);
    const auto above = on_side(surface, 1);
    const Form du = d(Form::function(form_.coframe(), surface));
    // A function of parameters is crossed by no motion; of others the gradient must tell what the surface is.
    const bool is_crossed = !du.terms().empty();
    if (is_crossed && !algebra_.vanishes_on_no_component(sum_of_squares(algebra_.pool(), du), on_it).holds())
      return algebra_.follows(algebra_.pool().number(1), on_it);  // no state lies on it
    const auto agrees = [&](const std::optional<Form>& other) {
      return above && other &&
             algebra_.follows(sum_of_squares(algebra_.pool(), wedge(*above - *other, du)), on_it);
    };
    const auto between = on_side(surface, 0);
    return agrees(on_side(surface, -1)) && (!between || agrees(between));
  }

  Algebra& algebra_;
  const Form& form_;
  std::vector<Switching> coefficients_;
};

}  // namespace

bool has_jumps(const Form& form) {
  return std::any_of(form.terms().begin(), form.terms().end(), [](const Form::Term& term) {
    const std::vector<Expr> nodes = postorder(term.second);
    return std::any_of(nodes.begin(), nodes.end(),
                       [](Expr node) { return node.is(Op::sign) || node.is(Op::atan2); });
  });
}

Verdict unless_forms_jump(Algebra& algebra, const std::vector<Form>& forms, const Region& states,
                          Verdict verdict) {
  if (!verdict.holds()) return verdict;
  for (const Form& form : forms) {
    if (!has_jumps(form)) continue;
    const Expr surface = JumpingForm(algebra, form).stopping_surface(states);
    if (!surface.empty())
      return Verdict::of(
          Grade::unknown,
          fmt::format("the relations are integrable off {} = 0, where they jump", to_infix(surface)));
  }
  return verdict;
}

}  // namespace liaison
