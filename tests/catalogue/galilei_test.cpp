/// Rows G1.I-galilei-group, G1.I-invariant-forms, G1.I-ThI, G1.I-ThII: the group of changes of Galilean
/// frame, the forms it keeps, and the uniqueness of the 2-form of a point.
#include <array>
#include <functional>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/forms/two_form.hpp"
#include "misprint.hpp"

namespace liaison {
namespace {

using test::Desk;
using test::Point;

/// First frame (x, v, t), second frame (xi, al, tau); rotations by Cayley's transform of the skew matrix of
/// s.
struct GalileiRows : ::testing::Test {
  Desk desk;
  CoframePtr first = desk.coordinates("x1 x2 x3 v1 v2 v3 t");
  CoframePtr second = desk.coordinates("xi1 xi2 xi3 al1 al2 al3 tau");
  Matrix rotation = cayley("s");
  Point at{
      desk,
      "s1 = 1/3, s2 = -1/2, s3 = 2/5, a1 = 3/7, a2 = -2/5, a3 = 1/4, b1 = 1/2, b2 = 3/4, b3 = -5/6, t0 = "
      "11/13, "
      "xi1 = 1/5, xi2 = -3/4, xi3 = 2/3, al1 = 7/10, al2 = 1/8, al3 = -9/10, tau = 6/5, Xi1 = 2, Xi2 = -1/3, "
      "Xi3 = 1/2, m = 3/2"};

  Expr sym(const std::string& name, std::size_t i) { return desk(name + std::to_string(i + 1)); }
  Matrix identity() { return Matrix(3, 3, desk.list({"1", "0", "0", "0", "1", "0", "0", "0", "1"})); }

  /// (1 - S)(1 + S)^-1, column by column: A (1 + S) = 1 - S, transposed.
  Matrix cayley(const std::string& s) {
    const Expr s1 = desk(s + "1"), s2 = desk(s + "2"), s3 = desk(s + "3"), one = desk("1");
    const Matrix plus(3, 3, {one, -s3, s2, s3, one, -s1, -s2, s1, one});
    Matrix result(desk.pool, 3, 3);
    for (std::size_t row = 0; row < 3; ++row) {
      std::vector<Expr> right;
      for (std::size_t j = 0; j < 3; ++j) right.push_back(row == j ? one : -plus(row, j));
      const std::vector<Expr> x = solve(desk.algebra, transpose(plus), right).x;
      for (std::size_t j = 0; j < 3; ++j) result(row, j) = x[j];
    }
    return result;
  }

  Expr times(const Matrix& a, std::size_t row, const std::string& vector) {
    return a(row, 0) * sym(vector, 0) + a(row, 1) * sym(vector, 1) + a(row, 2) * sym(vector, 2);
  }

  /// x = A xi + a tau + b, v = A al + a, t = tau + t0; the force components, constants here, by X = A Xi.
  std::vector<std::pair<Expr, Expr>> group_element() {
    std::vector<std::pair<Expr, Expr>> map;
    for (std::size_t i = 0; i < 3; ++i) {
      map.emplace_back(sym("x", i), times(rotation, i, "xi") + sym("a", i) * desk("tau") + sym("b", i));
      map.emplace_back(sym("v", i), times(rotation, i, "al") + sym("a", i));
      map.emplace_back(sym("X", i), times(rotation, i, "Xi"));
    }
    map.emplace_back(desk("t"), desk("tau + t0"));
    return map;
  }

  /// m dv_i - X_i dt and dx_i - v_i dt, on either frame.
  Form balance(const CoframePtr& frame, std::size_t i) {
    const bool one = frame == first;
    return desk("m") * Form::basis(frame, i + 3) - sym(one ? "X" : "Xi", i) * Form::basis(frame, 6);
  }
  Form contact(const CoframePtr& frame, std::size_t i) {
    return Form::basis(frame, i) - sym(frame == first ? "v" : "al", i) * Form::basis(frame, 6);
  }
  using PfaffMap = std::function<Form(const Form&)>;
  Form omega(const CoframePtr& frame) {
    Form sum(frame, 2);
    for (std::size_t i = 0; i < 3; ++i) sum = sum + wedge(balance(frame, i), contact(frame, i));
    return sum;
  }
  /// s, e, f on a vector: sums of products of the six forms, each taken through `map`.
  std::array<Expr, 3> quadratic(const CoframePtr& frame, const VectorField& u, const PfaffMap& map) {
    std::array<Expr, 3> sums{desk("0"), desk("0"), desk("0")};
    for (std::size_t i = 0; i < 3; ++i) {
      const Expr p = interior(u, map(balance(frame, i))).coefficient({});
      const Expr q = interior(u, map(contact(frame, i))).coefficient({});
      sums[0] = sums[0] + p * p / (Rational(2) * desk("m"));
      sums[1] = sums[1] + desk("m") / Rational(2) * q * q;
      sums[2] = sums[2] + p * q;
    }
    return sums;
  }
  /// The rank of a quadratic form in the components u1..u7.
  std::size_t rank_of(Expr q) {
    Matrix hessian(desk.pool, 7, 7);
    for (std::size_t i = 0; i < 7; ++i)
      for (std::size_t j = 0; j < 7; ++j) hessian(i, j) = derivative(derivative(q, sym("u", i)), sym("u", j));
    return rank(desk.algebra, hessian).rank;
  }
};

TEST_F(GalileiRows, cayley_matrices_are_rotations) {
  CATALOGUE_ROW("G1.I-galilei-group");
  const Matrix square = transpose(rotation) * rotation;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_PROVED(desk.algebra.are_equal(square(i, j), identity()(i, j)));
  EXPECT_PROVED(desk.algebra.are_equal(determinant(desk.algebra, rotation).value, desk("1")));
  // The inverse is the transform of -S; half turns are missing, because det(1 + A) = 8/(1 + s^2) never
  // vanishes.
  const Matrix back = cayley("z");
  for (std::size_t i = 0; i < 9; ++i) {
    const Substitution minus{{desk("z1"), desk("-s1")}, {desk("z2"), desk("-s2")}, {desk("z3"), desk("-s3")}};
    EXPECT_PROVED(desk.algebra.are_equal(substitute(back.entries[i], minus), transpose(rotation).entries[i]));
  }
  Matrix sum = rotation;
  for (std::size_t i = 0; i < 3; ++i) sum(i, i) = sum(i, i) + Rational(1);
  EXPECT_PROVED(
      desk.algebra.are_equal(determinant(desk.algebra, sum).value, desk("8/(1 + s1^2 + s2^2 + s3^2)")));

  const std::vector<std::vector<double>> rows{{0.4609203798392988, 0.3067932797662527, 0.8327246165084004},
                                              {-0.7450693937180424, 0.6435354273192111, 0.1753104455807159},
                                              {-0.4821037253469686, -0.7012417823228634, 0.5252008765522279}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NUMBER(at(rotation(i, j)), rows[i][j]);
}

TEST_F(GalileiRows, the_group_acts_and_is_prolonged_to_velocities) {
  CATALOGUE_ROW("G1.I-galilei-group");
  const std::vector<double> x{1.431524574767818, -0.2447918188458729, 0.2463111760409058};
  const std::vector<double> v{0.04011269957215903, -0.9988860482103725, -0.6478086194302412};
  const std::vector<double> force{1.235938641344047, -1.616995373752131, -0.4678597516435354};
  const VectorField drift = desk.field(second, {"al1", "al2", "al3", "0", "0", "0", "1"});
  std::map<std::string, Expr> image;
  for (const auto& [from, to] : group_element()) image.emplace(to_infix(from), to);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i + 1);
    EXPECT_NUMBER(at(image.at("x" + n)), x[i]);
    EXPECT_NUMBER(at(image.at("v" + n)), v[i]);
    EXPECT_NUMBER(at(image.at("X" + n)), force[i]);
    EXPECT_PROVED(desk.algebra.are_equal(apply(drift, image.at("x" + n)), image.at("v" + n)));
  }
  EXPECT_NUMBER(at(desk("tau + t0")), 2.046153846153846);
}

TEST_F(GalileiRows, two_changes_of_frame_make_one) {
  CATALOGUE_ROW("G1.I-galilei-group");
  // x = A xi + a tau + b after xi = B eta + c sig + f, tau = sig + u: rotation A B, velocity A c + a, shift A
  // f + a u + b.
  const Matrix second_rotation = cayley("r");
  const Matrix both = rotation * second_rotation;
  const Matrix square = transpose(both) * both;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_PROVED(desk.algebra.are_equal(square(i, j), identity()(i, j)));
    Expr once = sym("a", i) * desk("sig + u") + sym("b", i);
    for (std::size_t j = 0; j < 3; ++j)
      once = once +
             rotation(i, j) * (times(second_rotation, j, "eta") + sym("c", j) * desk("sig") + sym("f", j));
    const Expr twice = times(both, i, "eta") + (times(rotation, i, "c") + sym("a", i)) * desk("sig") +
                       (times(rotation, i, "f") + sym("a", i) * desk("u") + sym("b", i));
    EXPECT_PROVED(desk.algebra.are_equal(once, twice));
  }
}

/// Coordinates a1..a3, b1..b3 (and c), turned by the three rotation fields: forms with constant coefficients
/// stand for products of dv^i, theta^i (and dt).
struct InvariantRows : ::testing::Test {
  Desk desk;
  CoframePtr six = desk.coordinates("a1 a2 a3 b1 b2 b3");
  CoframePtr seven = desk.coordinates("a1 a2 a3 b1 b2 b3 c");

  VectorField turn(const CoframePtr& frame, std::size_t axis) {
    const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
    std::vector<Expr> components(frame->dimension(), desk("0"));
    for (std::size_t offset : {std::size_t{0}, std::size_t{3}}) {
      components[offset + i] = -frame->scalar_coordinates()[offset + j].symbol;
      components[offset + j] = frame->scalar_coordinates()[offset + i].symbol;
    }
    return VectorField(frame, components);
  }

  /// The dimension of the space on which the three operators vanish, from their values on a basis.
  std::size_t common_kernel(
      std::size_t size, const std::function<std::map<std::string, Expr>(std::size_t, std::size_t)>& value) {
    std::map<std::string, std::vector<Expr>> rows;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t j = 0; j < size; ++j)
        for (const auto& [key, coefficient] : value(axis, j)) {
          auto& row = rows[std::to_string(axis) + key];
          row.resize(size, desk("0"));
          row[j] = coefficient;
        }
    Matrix matrix(desk.pool, rows.size(), size);
    std::size_t i = 0;
    for (const auto& [key, row] : rows) {
      for (std::size_t j = 0; j < size; ++j) matrix(i, j) = row[j];
      ++i;
    }
    return size - rank(desk.algebra, matrix).rank;
  }

  std::size_t invariant_forms(const CoframePtr& frame, std::size_t degree) {
    std::vector<Form> products;
    for (std::size_t bits = 0; bits < (std::size_t{1} << frame->dimension()); ++bits) {
      const IndexSet key(bits);
      if (key.count() == degree)
        products.emplace_back(frame, degree, std::vector<Form::Term>{{key, desk("1")}});
    }
    return common_kernel(products.size(), [&](std::size_t axis, std::size_t j) {
      std::map<std::string, Expr> values;
      const Form moved = lie(turn(frame, axis), products[j]);
      for (const auto& [key, coefficient] : moved.terms()) values.emplace(key.to_string(), coefficient);
      return values;
    });
  }

  std::size_t invariant_quadratic_forms() {
    std::vector<Expr> monomials;
    const auto& q = six->scalar_coordinates();
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = i; j < 6; ++j) monomials.push_back(q[i].symbol * q[j].symbol);
    return common_kernel(monomials.size(), [&](std::size_t axis, std::size_t j) {
      std::map<std::string, Expr> values;
      const Expr moved = apply(turn(six, axis), monomials[j]);
      const std::array alone{moved};
      for (Expr term : moved.is(Op::add) ? moved.args() : std::span<const Expr>(alone)) {
        const auto [coefficient, rest] = split_coefficient(term);
        if (!coefficient.is_zero()) values.emplace(to_infix(rest), desk.pool.number(coefficient));
      }
      return values;
    });
  }
};

TEST_F(InvariantRows, dimensions_of_the_invariant_spaces) {
  CATALOGUE_ROW("G1.I-invariant-forms");
  EXPECT_EQ(invariant_quadratic_forms(), 3U);
  const std::vector<std::size_t> dimensions{0, 1, 4, 1, 0, 1};
  for (std::size_t degree = 1; degree <= 6; ++degree)
    EXPECT_EQ(invariant_forms(six, degree), dimensions[degree - 1]);
}

/// w1..w3 = L dv, w4..w6 = L theta: here da, db. The 2-form of (III) and the two 3-forms of (V).
struct InvariantProducts : InvariantRows {
  const Form iii = desk.form(six, "1: da1 db1; 1: da2 db2; 1: da3 db3");
  const Form a = desk.form(six, "1: da1 da2 da3");
  const Form b = desk.form(six, "1: db1 db2 db3");
};

TEST_F(InvariantProducts, the_cube_of_the_invariant_two_form) {
  CATALOGUE_ROW("G1.I-invariant-forms");
  const Form iv = desk.form(six, "1: da1 db1 da2 db2; 1: da2 db2 da3 db3; 1: da3 db3 da1 db1");
  EXPECT_PROVED(are_equal(desk.algebra, power(iii, 2), Rational(2) * iv));
  EXPECT_PROVED(are_equal(desk.algebra, power(iii, 3), Rational(-6) * wedge(a, b)));
  // The list of invariant 3-forms is not complete with a and b: two more are invariant.
  const Form aab = desk.form(six, "1: da1 da2 db3; 1: da2 da3 db1; 1: da3 da1 db2");
  const Form abb = desk.form(six, "1: da1 db2 db3; 1: da2 db3 db1; 1: da3 db1 db2");
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const Form& form : {a, b, aab, abb})
      EXPECT_PROVED(is_zero(desk.algebra, lie(turn(six, axis), form)));
}

TEST_F(InvariantProducts, misprints_of_the_invariant_forms) {
  const char* const row = "G1.I-invariant-forms";
  CATALOGUE_ROW("G1.I-invariant-forms");
  const auto equal = [&](Expr right, Expr printed) { return desk.algebra.are_equal(right, printed); };
  const Form exchanged = desk.form(six, "1: db1 da1; 1: db2 da2; 1: db3 da3");
  test::refute({row, "Labels of the six invariant forms",
                "formulas (I) and (II) take w1..w3 for L (dx - v dt) and w4..w6 for L dv",
                "w1..w3 = L dv and w4..w6 = L (dx - v dt), as defined before and as (III) needs",
                "the coefficient of dv1^(dx1 - v1 dt) in sum dv_i^(dx_i - v_i dt) == that in sum "
                "w_i^w_(i+3) with these labels"},
               equal(iii.coefficient({"da1", "db1"}), exchanged.coefficient({"da1", "db1"})));
  test::refute({row, "Cube of the invariant 2-form",
                "the cube of sum w_i^w_(i+3) is +6 times the product of the two forms of (V)", "-6 times",
                "the coefficient of w1^w2^w3^w4^w5^w6 in the cube == 6"},
               equal(power(iii, 3).coefficient({"da1", "da2", "da3", "db1", "db2", "db3"}),
                     Rational(6) * wedge(a, b).coefficient({"da1", "da2", "da3", "db1", "db2", "db3"})));
  test::refute({row, "First invariant 3-form", "w1^w2^w4 in the first line of (V)", "w1^w2^w3",
                "the Lie derivative of w1^w2^w4 by the rotation about the third axis, coefficient of "
                "w1^w2^w5 == 0, as for every invariant form"},
               desk.algebra.is_zero(
                   lie(turn(six, 2), desk.form(six, "1: da1 da2 db1")).coefficient({"da1", "da2", "db2"})));
  const std::vector<Form> listed{a, b};
  test::refute(
      {row, "List of the invariant 3-forms", "(V) as the complete list of two forms",
       "four: eps_ijk dv^i^dv^j^theta^k and eps_ijk dv^i^theta^j^theta^k as well, theta = dx - v dt",
       "the dimension of the space of invariant 3-forms == the number of forms in (V)"},
      test::Sides{"", static_cast<double>(invariant_forms(six, 3)), static_cast<double>(listed.size())});
}

TEST_F(InvariantRows, the_two_form_is_unique_and_three_forms_are_not) {
  CATALOGUE_ROW("G1.I-ThII");
  EXPECT_EQ(invariant_forms(seven, 2), 1U);
  EXPECT_EQ(invariant_forms(seven, 3), 5U);
}

TEST_F(GalileiRows, the_generating_forms_are_invariant) {
  CATALOGUE_ROW("G1.I-ThI");
  const SmoothMap map(desk.algebra, second, first, group_element());
  EXPECT_PROVED(are_equal(desk.algebra, map.pull_back(omega(first)), omega(second)));
  const VectorField u = desk.field(second, {"u1", "u2", "u3", "u4", "u5", "u6", "u7"});
  const auto through = quadratic(first, u, [&](const Form& a) { return map.pull_back(a); });
  const auto here = quadratic(second, u, [](const Form& a) { return a; });
  for (std::size_t i = 0; i < 3; ++i) EXPECT_PROVED(desk.algebra.are_equal(through[i], here[i]));
}

TEST_F(GalileiRows, ranks_and_characteristics_of_the_generating_forms) {
  CATALOGUE_ROW("G1.I-ThI");
  const VectorField u = desk.field(second, {"u1", "u2", "u3", "u4", "u5", "u6", "u7"});
  const auto [s, e, f] = quadratic(second, u, [](const Form& a) { return a; });
  EXPECT_EQ(rank_of(s), 3U);
  EXPECT_EQ(rank_of(e), 3U);
  EXPECT_EQ(rank_of(f), 6U);
  EXPECT_EQ(rank_and_class(desk.algebra, omega(second)).rank, 6U);
  const VectorField motion = desk.field(second, {"al1", "al2", "al3", "Xi1/m", "Xi2/m", "Xi3/m", "1"});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_PROVED(is_zero(desk.algebra, interior(motion, balance(second, i))));
    EXPECT_PROVED(is_zero(desk.algebra, interior(motion, contact(second, i))));
  }
}

TEST_F(GalileiRows, numbers_of_the_generating_forms_in_both_frames) {
  CATALOGUE_ROW("G1.I-ThI");
  const SmoothMap map(desk.algebra, second, first, group_element());
  const VectorField u = desk.field(second, {"1", "2", "-1", "1/2", "3", "-2", "1/3"});
  const VectorField w = desk.field(second, {"-1", "1/4", "2", "5", "-1/2", "1", "2"});
  const std::vector<VectorField> pair{u, w};
  EXPECT_NUMBER(at(evaluate_on(omega(second), pair)), -14.40347222222222);
  EXPECT_NUMBER(at(evaluate_on(map.pull_back(omega(first)), pair)), -14.40347222222222);
  const auto here = quadratic(second, u, [](const Form& a) { return a; });
  const auto through = quadratic(first, u, [&](const Form& a) { return map.pull_back(a); });
  const std::array expected{10.43235596707819, 3.684635416666667, 11.31064814814815};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NUMBER(at(here[i]), expected[i]);
    EXPECT_NUMBER(at(through[i]), expected[i]);
  }
}

TEST_F(GalileiRows, a_rotating_frame_does_not_keep_the_form) {
  CATALOGUE_ROW("G1.I-ThI");
  const std::string x1 = "xi1*cos(w*tau) - xi2*sin(w*tau)", x2 = "xi1*sin(w*tau) + xi2*cos(w*tau)";
  const SmoothMap turning(desk.algebra, second, first,
                          {{desk("x1"), desk(x1)},
                           {desk("x2"), desk(x2)},
                           {desk("x3"), desk("xi3")},
                           {desk("v1"), desk("al1*cos(w*tau) - al2*sin(w*tau) - w*(" + x2 + ")")},
                           {desk("v2"), desk("al1*sin(w*tau) + al2*cos(w*tau) + w*(" + x1 + ")")},
                           {desk("v3"), desk("al3")},
                           {desk("t"), desk("tau")},
                           {desk("X1"), desk("Xi1*cos(w*tau) - Xi2*sin(w*tau)")},
                           {desk("X2"), desk("Xi1*sin(w*tau) + Xi2*cos(w*tau)")},
                           {desk("X3"), desk("Xi3")}});
  EXPECT_REFUTED(are_equal(desk.algebra, turning.pull_back(omega(first)), omega(second)));
}

TEST_F(GalileiRows, the_characteristic_field_is_newtons) {
  CATALOGUE_ROW("G1.I-ThII");
  const CharacteristicField e = characteristic_field(desk.algebra, omega(first), Form::basis(first, "dt"));
  ASSERT_TRUE(e.field) << e.explanation;
  const VectorField newton = desk.field(first, {"v1", "v2", "v3", "X1/m", "X2/m", "X3/m", "1"});
  EXPECT_PROVED(are_equal(desk.algebra, *e.field, newton));
  EXPECT_PROVED(is_zero(desk.algebra, interior(newton, omega(first))));
  // With the force vector itself at hand another invariant 2-form exists: X.(dx - v dt)^dt.
  Form with_force(first, 2), there(second, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    with_force = with_force + sym("X", i) * wedge(contact(first, i), Form::basis(first, "dt"));
    there = there + sym("Xi", i) * wedge(contact(second, i), Form::basis(second, "dtau"));
  }
  const SmoothMap map(desk.algebra, second, first, group_element());
  EXPECT_PROVED(are_equal(desk.algebra, map.pull_back(with_force), there));
}

}  // namespace
}  // namespace liaison
