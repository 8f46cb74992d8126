#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "liaison/forms/calculus.hpp"
#include "liaison/forms/pullback.hpp"
#include "support/random_forms.hpp"

/// The laws of Cartan's calculus as functions of the operators, so that a broken operator can be put in the
/// place of the true one and be caught.
namespace liaison::test {

struct Operators {
  std::function<Form(const Form&, const Form&)> wedge = [](const Form& a, const Form& b) {
    return liaison::wedge(a, b);
  };
  std::function<Form(const Form&)> d = [](const Form& a) { return liaison::d(a); };
  std::function<Form(const VectorField&, const Form&)> interior = [](const VectorField& x, const Form& a) {
    return liaison::interior(x, a);
  };
  std::function<Form(const VectorField&, const Form&)> lie = [](const VectorField& x, const Form& a) {
    return liaison::lie(x, a);
  };
  std::function<Form(const VectorField&, const Form&)> epsilon = [](const VectorField& x, const Form& a) {
    return liaison::epsilon(x, a);
  };
  std::function<Form(const VectorField&, const VectorField&, const Form&)> epsilon_of_two =
      [](const VectorField& x, const VectorField& y, const Form& a) { return liaison::epsilon(x, y, a); };
  std::function<VectorField(const VectorField&, const VectorField&)> bracket =
      [](const VectorField& x, const VectorField& y) { return liaison::bracket(x, y); };
  std::function<Form(const SmoothMap&, const Form&)> pull_back = [](const SmoothMap& map, const Form& a) {
    return map.pull_back(a);
  };
  std::function<Form(Algebra&, const Form&, const CoframePtr&, const Matrix&)> change_form =
      [](Algebra& algebra, const Form& a, const CoframePtr& frame, const Matrix& matrix) {
        return change_coframe(algebra, a, frame, matrix);
      };
  std::function<VectorField(Algebra&, const VectorField&, const CoframePtr&, const Matrix&)> change_field =
      [](Algebra& algebra, const VectorField& x, const CoframePtr& frame, const Matrix& matrix) {
        return change_coframe(algebra, x, frame, matrix);
      };
};

/// Where a law is tried: random objects on one coframe.
struct Trial {
  Algebra& algebra;
  CoframePtr coframe;
  std::uint64_t seed;
  RandomForms random;

  /// A degree from `from` to the dimension less `room`.
  std::size_t degree(std::size_t from, std::size_t room);
  bool is_coordinate_coframe() const;
};

struct Law {
  std::string name;
  Verdict (*holds)(const Operators& op, Trial& trial);
};
inline void PrintTo(const Law& shown, std::ostream* out) {
  *out << shown.name;
}
const std::vector<Law>& cartan_laws();
const Law& law_named(const std::string& name);

/// A law on every coframe of `law_coframes` with a few seeds: the first verdict that is not proved, or a
/// proved one.
struct LawResult {
  Verdict verdict;
  std::string where;  ///< the coframe and the seed of that verdict
};
LawResult try_law(const Law& law, const Operators& op, std::size_t seeds_each);

}  // namespace liaison::test
