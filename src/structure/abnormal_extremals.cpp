#include "liaison/structure/abnormal_extremals.hpp"

#include "admissible_directions.hpp"
#include "liaison/forms/calculus.hpp"
#include "polynomial_form.hpp"

namespace liaison {

namespace {

constexpr std::uint64_t operations = 200'000'000;
constexpr std::size_t max_directions = 6;

class Search {
 public:
  Search(Algebra& algebra, const StateFlow& flow, const ConstraintFlag& flag,
         const AdmissibleDirections& directions)
      : algebra_(algebra), flow_(flow), flag_(flag), directions_(directions), fields_(directions.fields) {}

  AbnormalExtremals run() {
    result_.grade = flag_.grade;
    result_.for_values = flag_.for_values;
    const std::size_t rank = flag_.growth.front();
    if (flag_.accessible() < flag_.space) {
      // A covector that vanishes on all brackets is carried along by every admissible curve.
      result_.kind = AbnormalKind::every_curve;
      result_.for_values = flow_.standing.for_values;  // for other values the brackets span no more
    } else if (rank == 2) {
      judge_two();
    } else {
      judge_many();
    }
    return std::move(result_);
  }

 private:
  std::size_t size() const { return directions_.forms.size(); }

  /// <p, [X_1, X_2]> = 0: the covector vanishes on D^2 = D + [D, D]. Then u^1 <p, X_112> + u^2 <p, X_212> =
  /// 0, and on the covectors of D^2 this is a field where its coefficients do not both vanish.
  void judge_two() {
    const std::size_t second = flag_.growth[1], third = flag_.growth.size() > 2 ? flag_.growth[2] : second;
    if (second == flag_.space) {
      result_.kind = AbnormalKind::none;
    } else if (third == second + 2) {
      result_.kind = AbnormalKind::every_direction;
    } else {
      result_.kind = AbnormalKind::one_direction;
      result_.are_others_open = third < flag_.space;
      find_direction();
    }
  }

  /// Values for which this vanishes everywhere are others.
  void add_values(Expr e, const std::vector<Expr>& constants) {
    add_conditions(result_.for_values, conditions_on_values(algebra_, *flow_.motion->space.system,
                                                            algebra_.readable(e), constants));
  }

  /// u with u^1 X_112 + u^2 X_212 in D^2.
  void find_direction() {
    const VectorField across = simplified(algebra_, bracket(fields_[0], fields_[1]));
    const std::vector<VectorField> columns{simplified(algebra_, bracket(fields_[0], across)),
                                           simplified(algebra_, bracket(fields_[1], across)), fields_[0],
                                           fields_[1], across};
    Matrix matrix(algebra_.pool(), size(), columns.size());
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t k = 0; k < columns.size(); ++k)
        matrix(i, k) = columns[k].component(directions_.forms[i]);
    }
    const NullSpaceResult found = null_space(algebra_, matrix);
    if (found.basis.size() != 1) return;
    result_.grade = weaker(result_.grade, found.grade);
    for (const Expr e : found.conditions) add_values(e, {});
    const auto& directions = flow_.motion->space.system->directions;
    const VectorField field =
        simplified(algebra_, found.basis[0][0] * fields_[0] + found.basis[0][1] * fields_[1]);
    for (const std::size_t form : directions_.forms) {
      const bool is_time = form >= directions.size();
      const Expr coordinate = is_time ? flow_.time : directions[form].coordinate;
      if (coordinate.empty()) {  // a rotation has no coordinates to write it by
        result_.direction.clear();
        return;
      }
      result_.direction.emplace_back(coordinate, algebra_.readable(field.component(form)));
    }
  }

  /// The matrix <p, [X_i, X_j]> for a general covector p of the constraints: where it is singular, its kernel
  /// gives fields on the covectors, whose curves go through each general place.
  void judge_many() {
    const std::size_t m = fields_.size();
    if (m > max_directions) {
      result_.reason = "more directions than are asked";
      return;
    }
    Matrix spanning(algebra_.pool(), m, size());
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < size(); ++k) spanning(i, k) = fields_[i].component(directions_.forms[k]);
    }
    const NullSpaceResult covectors = null_space(algebra_, spanning);
    for (const Expr e : covectors.conditions) add_values(e, {});
    std::vector<Expr> p(size(), algebra_.pool().number(0)), constants;
    for (std::size_t h = 0; h < covectors.basis.size(); ++h) {
      const Expr c = algebra_.pool().symbol("#p" + std::to_string(h), SymbolKind::auxiliary);
      constants.push_back(c);
      for (std::size_t k = 0; k < size(); ++k) p[k] = p[k] + c * covectors.basis[h][k];
    }
    Matrix matrix(algebra_.pool(), m, m);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = i + 1; j < m; ++j) {
        const VectorField across = simplified(algebra_, bracket(fields_[i], fields_[j]));
        std::vector<Expr> terms;
        for (std::size_t k = 0; k < size(); ++k)
          terms.push_back(p[k] * across.component(directions_.forms[k]));
        matrix(i, j) = algebra_.canonical(algebra_.pool().add(terms)).value;
        matrix(j, i) = -matrix(i, j);
      }
    }
    const RankResult found = rank(algebra_, matrix);
    result_.grade = weaker(result_.grade, weaker(covectors.grade, found.grade));
    for (const Expr e : found.conditions) add_values(e, constants);
    result_.dimension = m - found.rank;
    result_.kind = found.rank < m                ? AbnormalKind::some
                   : covectors.basis.size() == 1 ? AbnormalKind::none
                                                 : AbnormalKind::undecided;
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const ConstraintFlag& flag_;
  const AdmissibleDirections& directions_;
  const std::vector<VectorField>& fields_;
  AbnormalExtremals result_;
};

}  // namespace

AbnormalExtremals find_abnormal_extremals(Algebra& algebra, const StateFlow& flow,
                                          const ConstraintFlag& flag) {
  AbnormalExtremals none;
  auto directions = admissible_directions(algebra, flow);
  if (directions) leave_out_time_of_chart(algebra, flow, *directions);
  if (!flag.has_relations || !directions || flag.growth.empty() || flag.growth.front() == 0) {
    none.reason = "there are no constraints";
    return none;
  }
  if (flag.with_time) {
    none.reason = "the constraints depend on the time, or move: time is no direction that is chosen";
    return none;
  }
  try {
    const BudgetScope scope(algebra, operations);
    return Search(algebra, flow, flag, *directions).run();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
    none.reason = "not within the budget";
    return none;
  }
}

}  // namespace liaison
