#include "liaison/forms/two_form.hpp"

#include "support/forms_support.hpp"

namespace liaison {
namespace {

using test::Desk;

struct TwoFormTest : ::testing::Test {
  Desk desk;
  CoframePtr state = desk.coordinates("v x t");
  Form omega = desk.form(state, "m: dv dx; -m*v: dv dt; X: dx dt");
};

TEST_F(TwoFormTest, the_coefficient_matrix_is_antisymmetric) {
  const Matrix k = coefficient_matrix(omega);
  EXPECT_EQ(k(0, 1), desk("m"));
  EXPECT_EQ(k(1, 0), desk("-m"));
  EXPECT_EQ(k(2, 0), desk("m*v"));
  EXPECT_EQ(k(1, 1), desk("0"));
}

TEST_F(TwoFormTest, rank_and_class_of_the_form_of_a_point) {
  const TwoFormRank closed = rank_and_class(desk.algebra, omega);
  EXPECT_EQ(closed.rank, 2U);
  EXPECT_EQ(closed.class_, 2U);
  const Form resisted = desk.form(state, "m: dv dx; -m*v: dv dt; -c*v: dx dt");
  EXPECT_EQ(rank_and_class(desk.algebra, resisted).rank, 2U);
  EXPECT_EQ(rank_and_class(desk.algebra, resisted).class_, 3U);
  EXPECT_EQ(rank_and_class(desk.algebra, Form(state, 2)).rank, 0U);
  EXPECT_EQ(rank_and_class(desk.algebra, Form(state, 2)).class_, 0U);
}

TEST_F(TwoFormTest, the_characteristic_field_is_newtons_equation) {
  const CharacteristicField e = characteristic_field(desk.algebra, omega, Form::basis(state, "dt"));
  ASSERT_EQ(e.status, CharacteristicStatus::found);
  EXPECT_EQ(to_infix(*e.field), "X/m*d/dv + v*d/dx + d/dt");
  EXPECT_EQ(e.rank, 2U);
  EXPECT_EQ(describe(e.conditions), "assuming m != 0");
  EXPECT_EQ(e.grade, Grade::proved);
}

TEST_F(TwoFormTest, a_rank_too_low_is_explained) {
  const CoframePtr five = desk.coordinates("p1 p2 q1 q2 t");
  const CharacteristicField e =
      characteristic_field(desk.algebra, desk.form(five, "1: dp1 dq1"), Form::basis(five, "dt"));
  EXPECT_EQ(e.status, CharacteristicStatus::rank_too_low);
  EXPECT_FALSE(e.field);
  EXPECT_EQ(e.explanation,
            "the 2-form has rank 2 in dimension 5: 3 independent fields annihilate it, so the motion is not "
            "determined; rank 4 "
            "is needed");
}

TEST_F(TwoFormTest, a_full_rank_is_explained) {
  const CoframePtr four = desk.coordinates("p1 p2 q1 q2");
  const CharacteristicField e =
      characteristic_field(desk.algebra, desk.form(four, "1: dp1 dq1; 1: dp2 dq2"), Form::basis(four, "dq1"));
  EXPECT_EQ(e.status, CharacteristicStatus::rank_full);
  EXPECT_EQ(e.explanation,
            "the 2-form has full rank 4 in dimension 4: only the zero field annihilates it, so it has no "
            "characteristics");
}

TEST_F(TwoFormTest, a_time_that_vanishes_on_the_characteristic_is_explained) {
  const CharacteristicField e =
      characteristic_field(desk.algebra, desk.form(state, "1: dx dt"), Form::basis(state, "dt"));
  EXPECT_EQ(e.status, CharacteristicStatus::not_normalisable);
  EXPECT_EQ(e.explanation,
            "the form dt vanishes on the only field that annihilates the 2-form: it cannot serve as time");
}

TEST_F(TwoFormTest, degrees_are_checked) {
  EXPECT_LIAISON_ERROR(characteristic_field(desk.algebra, omega, omega), ErrorCode::wrong_degree,
                       "the form that normalises the characteristic field must have degree 1, but m*dv^dx - "
                       "m*v*dv^dt + X*dx^dt "
                       "has degree 2",
                       "");
  EXPECT_LIAISON_ERROR(
      rank_and_class(desk.algebra, Form::basis(state, 0)), ErrorCode::wrong_degree,
      "the form whose coefficient matrix is asked for must have degree 2, but dv has degree 1", "");
}

}  // namespace
}  // namespace liaison
