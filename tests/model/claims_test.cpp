#include "model_support.hpp"

namespace liaison::test {

const std::string disc =
    "param m = 1, R = 0.5\ncoord x, phi\nrotation (p, q, r) in space\nkinetic m/2*x'^2 + phi'^2 + p^2 + q^2 "
    "+ r^2\n"
    "constraint roll: x' = R*phi'\nconstraint turn: p = 0\n";

TEST(Claims, equalities_have_names_states_and_tolerances) {
  const System system =
      read_system(disc +
                  "claim x'' == 0\n"
                  "claim pull: lambda(roll) == 3.5 at (x = 1, x' = 2*m, m = 3) within 1e-10\n"
                  "misprint p' == 1\n");
  ASSERT_EQ(system.claims.size(), 3u);
  EXPECT_EQ(system.claims[0].kind, ClaimKind::equality);
  EXPECT_EQ(system.claims[0].text, "x'' == 0");
  EXPECT_TRUE(system.claims[0].expected);
  EXPECT_EQ(system.claims[1].name, "pull");
  ASSERT_EQ(system.claims[1].at.size(), 3u);
  EXPECT_EQ(system.claims[1].at[0].symbol, in(system, "m"));  // the values of the others may use it
  EXPECT_EQ(system.claims[1].at[1].symbol, in(system, "x"));
  EXPECT_EQ(*system.claims[1].within, *Rational::parse("1e-10"));
  EXPECT_TRUE(system.claims[2].misprint);
  EXPECT_FALSE(system.claims[2].expected);
}

TEST(Claims, predicates_are_true_or_false) {
  const System system =
      read_system(disc +
                  "claim compatible\nclaim holonomic(roll, turn) == false\nclaim conserved(x' + p)\n"
                  "claim independent(roll, turn) == true\nmisprint holonomic(roll) == false\n");
  ASSERT_EQ(system.claims.size(), 5u);
  EXPECT_EQ(system.claims[0].kind, ClaimKind::compatible);
  EXPECT_EQ(system.claims[1].kind, ClaimKind::holonomic);
  EXPECT_EQ(system.claims[1].constraints, (std::vector<std::string>{"roll", "turn"}));
  EXPECT_FALSE(system.claims[1].expected);
  EXPECT_EQ(system.claims[2].kind, ClaimKind::conserved);
  EXPECT_TRUE(same(system, system.claims[2].conserved, "x' + p"));
  EXPECT_TRUE(system.claims[3].expected);
  EXPECT_TRUE(system.claims[4].expected) << "the printed `false` is wrong";
}

TEST(Claims, equations_may_span_lines) {
  const System system = read_system(disc +
                                    "claim motion: equations {\n"
                                    "  m*x'' + phi'' == 0;   # the first\n"
                                    "  p' == 0; q' == 0; r' == 0;\n"
                                    "}\n");
  ASSERT_EQ(system.claims.size(), 1u);
  EXPECT_EQ(system.claims[0].equations.size(), 4u);
  EXPECT_TRUE(same(system, system.claims[0].equations[0].first, "m*x'' + phi''"));
}

TEST(Claims, derived_quantities_are_registered_once) {
  const System system =
      read_system(disc +
                  "claim r(roll, turn) == r(turn, roll)\nclaim drive(roll) == det_r + drive(roll)\n"
                  "claim free(x'') + dir(roll, p') + power(roll) == 0\n"
                  "claim omega(x', x) + omega_r(p, w_p) + omega_s(x, t) == T - V\n");
  ASSERT_EQ(system.queries.size(), 12u);
  EXPECT_EQ(system.queries[0].kind, QueryKind::r);
  EXPECT_EQ(system.queries[0].names, (std::vector<std::string>{"roll", "turn"}));
  EXPECT_EQ(system.queries[0].symbol, system.claims[0].left);
  EXPECT_EQ(system.queries[0].symbol.symbol().kind, SymbolKind::auxiliary);
  const std::vector<QueryKind> kinds{QueryKind::r,       QueryKind::r,       QueryKind::drive,
                                     QueryKind::det_r,   QueryKind::free,    QueryKind::direction,
                                     QueryKind::power,   QueryKind::omega,   QueryKind::omega_r,
                                     QueryKind::omega_s, QueryKind::kinetic, QueryKind::potential};
  for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(system.queries[i].kind, kinds[i]) << i;
  EXPECT_EQ(system.queries[8].names, (std::vector<std::string>{"p", "w_p"}));
}

TEST(Claims, a_declared_name_is_no_query) {
  const System system = read_system(
      "param T = 3, V = 4\nfunction drive(x)\ncoord x\nkinetic x'^2\nclaim T == V\nclaim drive(x) == 0\n");
  EXPECT_TRUE(system.queries.empty());
  EXPECT_EQ(system.claims[0].left, in(system, "T"));
}

TEST(Claims, a_state_keeps_the_declared_signs) {
  const std::string text = "param m > 0 = 2, k = -1\ncoord x\nkinetic m/2*x'^2\n";
  for (const char* value : {"-1", "0", "-pi", "sqrt(2) - 2", "k", "k + 1", "2*k [kg]"}) {
    EXPECT_NE(read_errors(text + "claim x'' == 0 at (x = 1, m = " + value + ")\n"), "") << value;
  }
  EXPECT_EQ(read_errors(text + "claim x'' == 0 at (x = 1, m = k)\n"),
            "model:4:31: error: `m` is declared positive, and this is not [L0434]\n"
            "    4 | claim x'' == 0 at (x = 1, m = k)\n"
            "      |                               ^\n"
            "   hint: choose a value above 0, or remove `> 0` from the declaration\n");
  for (const char* value : {"m = 1e-30", "m = -k", "k = 3, m = k", "k = 0", "m = 1/(k + 1)"}) {
    EXPECT_EQ(read_errors(text + "claim x'' == 0 at (" + value + ")\n"), "") << value;
  }
}

TEST(Claims, a_tolerance_is_for_equalities) {
  const System system =
      read_system(disc + "claim x'' == 0 within 1e-3\nclaim x'' == 0 at (x = 1) within 1e-4\n");
  EXPECT_EQ(system.claims[0].within, Rational(1, 1000));
  EXPECT_EQ(system.claims[1].within, Rational(1, 10000));
  for (const char* predicate : {"compatible", "holonomic(roll)", "independent(roll, turn)", "conserved(T)",
                                "equations { x'' == 0 }"}) {
    EXPECT_NE(read_errors(disc + "claim " + predicate + " within 1e-3\n").find("[L0433]"), std::string::npos)
        << predicate;
  }
}

TEST(Claims, of_every_kind_take_a_state) {
  for (const char* claim : {"x'' == 0", "compatible", "holonomic(roll)", "independent(roll, turn)",
                            "conserved(T)", "equations { x'' == 0 }", "compatible == false"}) {
    const System system = read_system(disc + "claim " + claim + " at (x = 1, x' = 2)\n");
    ASSERT_EQ(system.claims.size(), 1u) << claim;
    EXPECT_EQ(system.claims[0].at.size(), 2u) << claim;
  }
}

}  // namespace liaison::test
