#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "liaison/simulate/runge_kutta.hpp"
#include "liaison/simulate/sundials.hpp"
#include "simulate_support.hpp"

// Order conditions by rooted trees (Hairer, Norsett and Wanner, II.2): a method has order p where
// sum_i b_i phi_i(tree) = 1/gamma(tree) for every tree with at most p nodes. Here to rounding, so that a
// wrong twelfth digit of a coefficient is seen; the measured slopes elsewhere see only wrong methods.

namespace liaison {
namespace {

using Real = long double;

/// A rooted tree: the subtrees at its root, as places in the list.
struct Tree {
  std::vector<std::size_t> children;
  std::size_t order = 1;
  Real density = 1;  ///< gamma
};

/// Every tree with at most this many nodes, subtrees before the trees that contain them.
std::vector<Tree> trees_up_to(std::size_t order) {
  std::vector<Tree> list{{}};
  // Multisets of subtrees with `left` nodes in all, each place not beyond the one before.
  const std::function<void(std::vector<std::size_t>&, std::size_t, std::size_t, std::vector<Tree>&)> extend =
      [&](std::vector<std::size_t>& chosen, std::size_t left, std::size_t bound, std::vector<Tree>& found) {
        if (left == 0) {
          Tree tree{chosen, 1, 1};
          for (std::size_t child : chosen) {
            tree.order += list[child].order;
            tree.density *= list[child].density;
          }
          tree.density *= static_cast<Real>(tree.order);
          found.push_back(tree);
        }
        for (std::size_t child = 0; left > 0 && child < bound; ++child) {
          if (list[child].order > left) continue;
          chosen.push_back(child);
          extend(chosen, left - list[child].order, child + 1, found);
          chosen.pop_back();
        }
      };
  for (std::size_t size = 2; size <= order; ++size) {
    std::vector<Tree> found;
    std::vector<std::size_t> chosen;
    extend(chosen, size - 1, list.size(), found);
    list.insert(list.end(), found.begin(), found.end());
  }
  return list;
}

TEST(RootedTrees, AreAsManyAsCayleyCounted) {
  std::map<std::size_t, int> count;
  for (const Tree& tree : trees_up_to(8)) ++count[tree.order];
  const std::map<std::size_t, int> cayley{{1, 1}, {2, 1}, {3, 2}, {4, 4}, {5, 9}, {6, 20}, {7, 48}, {8, 115}};
  EXPECT_EQ(count, cayley);
}

/// A table of coefficients as a method uses it.
struct Table {
  std::vector<std::vector<double>> stages;      ///< a_ij
  std::vector<double> nodes;                    ///< c_i
  std::vector<double> step;                     ///< b_j
  std::map<double, std::vector<double>> dense;  ///< b_j(x)
};

/// The method itself tells its table: the rates of the i-th evaluation are the i-th unit vector, so that each
/// state which it asks about is a row of coefficients.
Table table_of_dormand_prince() {
  constexpr std::size_t all = 16;
  Table table;
  const Rates rates = [&](double t, const double* y, double* dy) {
    std::fill_n(dy, all, 0.0);
    const std::size_t place = table.nodes.size();
    if (place < all) dy[place] = 1;
    table.nodes.push_back(t);
    table.stages.emplace_back(y, y + all);
    return true;
  };
  DormandPrince method(rates, all, {}, 1);
  const std::vector<double> zero(all, 0);
  EXPECT_TRUE(method.begin(0, zero, 1));
  EXPECT_EQ(method.step(1), StepOutcome::stepped);
  table.step.assign(method.state().begin(), method.state().end());
  for (double x : {0.1, 0.3, 0.5, 0.75, 0.9, 1.0}) {
    table.dense[x].resize(all);
    method.interpolate(x, table.dense[x].data());
  }
  EXPECT_EQ(table.nodes.size(), all);
  return table;
}

struct Sum {
  Real value = 0, size = 0;  ///< size: of the absolute values of its terms
};
/// What is left of a condition, in units of the rounding that its terms allow.
double misfit(const Sum& sum, Real wanted) {
  const Real left = std::abs(sum.value - wanted);
  return static_cast<double>(left / (std::numeric_limits<double>::epsilon() * (sum.size + std::abs(wanted))));
}

/// phi_i of every tree at every stage, with the sizes of its terms.
std::vector<std::vector<Sum>> weights_of(const std::vector<Tree>& trees, const Table& table) {
  const std::size_t count = table.stages.size();
  std::vector<std::vector<Sum>> inner(trees.size(), std::vector<Sum>(count));  // sum_j a_ij phi_j
  std::vector<std::vector<Sum>> phi(trees.size(), std::vector<Sum>(count, {1, 1}));
  for (std::size_t k = 0; k < trees.size(); ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t child : trees[k].children) {
        phi[k][i].value *= inner[child][i].value;
        phi[k][i].size *= inner[child][i].size;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        inner[k][i].value += static_cast<Real>(table.stages[i][j]) * phi[k][j].value;
        inner[k][i].size += std::abs(static_cast<Real>(table.stages[i][j])) * phi[k][j].size;
      }
    }
  }
  return phi;
}

Sum weigh(const std::vector<double>& weights, const std::vector<Sum>& phi) {
  Sum sum;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    sum.value += static_cast<Real>(weights[j]) * phi[j].value;
    sum.size += std::abs(static_cast<Real>(weights[j])) * phi[j].size;
  }
  return sum;
}

/// The largest misfit of the conditions of a method of order 8 with dense output of order 7.
double worst_misfit(const std::vector<Tree>& trees, const Table& table) {
  double worst = 0;
  for (std::size_t i = 0; i < table.stages.size(); ++i) {
    Sum row;
    for (double a : table.stages[i]) row.value += a, row.size += std::abs(a);
    worst = std::max(worst, 2 * misfit(row, table.nodes[i]));  // a sum of rounded numbers, and no products
  }
  const auto phi = weights_of(trees, table);
  for (std::size_t k = 0; k < trees.size(); ++k) {
    worst = std::max(worst, misfit(weigh(table.step, phi[k]), 1 / trees[k].density));
    if (trees[k].order > 7) continue;
    for (const auto& [x, weights] : table.dense) {
      const Real wanted = std::pow(static_cast<Real>(x), static_cast<int>(trees[k].order)) / trees[k].density;
      worst = std::max(worst, misfit(weigh(weights, phi[k]), wanted) / 2);  // a polynomial was evaluated
    }
  }
  return worst;
}

constexpr double allowed_misfit = 2;  ///< units of rounding

TEST(OrderConditions, DormandPrinceHasOrderEightAndDenseOutputOfOrderSeven) {
  EXPECT_LT(worst_misfit(trees_up_to(8), table_of_dormand_prince()), allowed_misfit);
}

TEST(OrderConditions, AWrongTwelfthDigitOfAnyCoefficientIsSeen) {
  const std::vector<Tree> trees = trees_up_to(3);
  const Table right = table_of_dormand_prince();
  const auto wrong = [](double value) {
    return value + std::pow(10, std::floor(std::log10(std::abs(value))) - 11);
  };
  int tried = 0;
  const auto expect_seen = [&](const Table& table, const std::string& what) {
    ++tried;
    EXPECT_GT(worst_misfit(trees, table), allowed_misfit) << what;
  };
  for (std::size_t i = 0; i < right.stages.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (right.stages[i][j] == 0) continue;
      Table table = right;
      table.stages[i][j] = wrong(right.stages[i][j]);
      expect_seen(table, "a" + std::to_string(i) + "," + std::to_string(j));
    }
  }
  for (std::size_t j = 0; j < right.step.size(); ++j) {
    if (right.step[j] == 0) continue;
    Table table = right;
    table.step[j] = wrong(right.step[j]);
    expect_seen(table, "b" + std::to_string(j));
  }
  EXPECT_EQ(tried, 82 + 8);  // the last row of the stages of a step is the step
}

/// The estimate e = |k.e5|^2/sqrt(|k.e5|^2 + |k.e3|^2/100) of rates that were chosen.
double estimate(const std::vector<double>& k) {
  std::size_t call = 0;
  const Rates rates = [&](double, const double*, double* dy) {
    dy[0] = call < k.size() ? k[call] : 0;
    ++call;
    return true;
  };
  DormandPrince method(rates, 1, {0, 1}, 1);
  const double zero[] = {0};
  EXPECT_TRUE(method.begin(0, zero, 1));
  EXPECT_EQ(method.step(1), StepOutcome::stepped);
  return method.error_estimate();
}

TEST(OrderConditions, TheErrorEstimatesSeeNothingOfTheirOrders) {
  const std::vector<Tree> trees = trees_up_to(5);
  const auto phi = weights_of(trees, table_of_dormand_prince());
  const auto rates_of = [&](std::size_t tree, double scale, const std::vector<double>& more) {
    std::vector<double> k(12);
    for (std::size_t i = 0; i < k.size(); ++i) {
      k[i] = scale * static_cast<double>(phi[tree][i].value);
      if (!more.empty()) k[i] += more[i];
    }
    return k;
  };
  std::vector<double> some(12);
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = std::cos(static_cast<double>(7 * i));
  const double of_some = estimate(some);
  EXPECT_GT(of_some, 1e-3);
  for (std::size_t k = 0; k < trees.size(); ++k) {
    EXPECT_LT(estimate(rates_of(k, 1, {})), 1e-15) << k;  // the estimate of order 5
    // Both estimates are linear in the rates: a tree that they do not see changes nothing.
    if (trees[k].order <= 3) {
      EXPECT_NEAR(estimate(rates_of(k, 1000, some)), of_some, 1e-12) << k;
    }
  }
}

/// y' of each tree is the product of its subtrees: from zero, the weights of a step of length 1 are its
/// state.
Rates rates_of_trees(const std::vector<Tree>& trees) {
  return [trees](double, const double* y, double* dy) {
    for (std::size_t k = 0; k < trees.size(); ++k) {
      dy[k] = 1;
      for (std::size_t child : trees[k].children) dy[k] *= y[child];
    }
    return true;
  };
}

TEST(OrderConditions, TheMethodsOfOrderEightHaveThemOnEveryTree) {
  const std::vector<Tree> trees = trees_up_to(8);
  const std::vector<double> zero(trees.size(), 0);
  std::vector<std::unique_ptr<Integrator>> list;
  list.push_back(std::make_unique<DormandPrince>(rates_of_trees(trees), trees.size(), Tolerance{}, 1));
  list.push_back(make_arkode(rates_of_trees(trees), trees.size(), {}, 1));
  for (const auto& method : list) {
    ASSERT_TRUE(method->begin(0, zero, 1));
    ASSERT_EQ(method->step(1), StepOutcome::stepped);
    ASSERT_EQ(method->time(), 1);
    for (std::size_t k = 0; k < trees.size(); ++k)
      EXPECT_NEAR(method->state()[k], static_cast<double>(1 / trees[k].density), 2e-14) << k;
  }
}

/// Compositions of the midpoint rule on the elementary differentials of x'' = t^a, y'' = t^b x^c.
TEST(OrderConditions, CompositionsOfTheVariationalMethodHaveOrderFourAndSix) {
  int tried = 0;
  for (int order : {4, 6}) {
    for (int a = 0; a + 1 <= order; ++a) {
      for (int b = 0; b + a + 3 <= order; ++b) {
        for (int c = 1; c * (a + 2) + b + 1 <= order; ++c) {
          const std::string text = "system \"tree\"\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = t^" +
                                   std::to_string(a) + "\nforce y = t^" + std::to_string(b) + "*x^" +
                                   std::to_string(c) + "\n";
          const auto model = test::read_runnable(text);
          test::RunRequest request;
          request.method.name = "variational" + std::to_string(order);
          request.method.step = 1;
          request.options.until = 1;
          const SimulationResult result = test::run(model, request);
          ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
          const double of_x = 1.0 / ((a + 1) * (a + 2)), power = b + c * (a + 2);
          EXPECT_NEAR(model.value(result.y, "x'"), 1.0 / (a + 1), 4e-15) << order << text;
          EXPECT_NEAR(model.value(result.y, "y'"), std::pow(of_x, c) / (power + 1), 4e-15) << order << text;
          ++tried;
        }
      }
    }
  }
  EXPECT_GT(tried, 10);
}

}  // namespace
}  // namespace liaison
