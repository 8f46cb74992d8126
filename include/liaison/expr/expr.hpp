#ifndef LIAISON_EXPR_EXPR_HPP
#define LIAISON_EXPR_EXPR_HPP

#include <cstdint>
#include <deque>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "liaison/expr/error.hpp"
#include "liaison/expr/rational.hpp"

/// Expressions: immutable nodes, interned in a pool that owns them.
///
/// Two expressions of a pool are equal exactly when their handles are equal. A node is made after its
/// arguments, so `index()` grows from leaves to roots. Every node is in *light canonical form*, which the
/// build functions establish and `Pool::check_shape` verifies:
///
///   sum      n-ary, flat, like terms collected, at most one number (first), terms in structural order.
///            x + x is 2*x; 2*(x + y) is 2*x + 2*y. Invalid: a sum in a sum, a term with coefficient 0.
///   product  n-ary, flat, at most one number (first, not 0 or 1), equal bases collected, factors in order.
///            x*x^(1/2) is x^(3/2). Invalid: number*sum alone, two powers of one base.
///   power    exponent a rational number, not 0 or 1. (x*y)^3 is x^3*y^3; (x^2)^(1/2) is abs(x).
///            A power with a fractional exponent has a value only where its base is >= 0.
///   others   parity is used up: sin(-x) is -sin(x); exact values are taken: cos(pi/3) is 1/2.
///
/// Light canonical form is cheap and does not decide equality of functions; `algebra` does.
/// The order of terms is structural: it never depends on hashes, addresses or the order of creation.
namespace liaison {

class Pool;
class Expr;

enum class Op : std::uint8_t {
  number,
  pi,
  symbol,
  add,
  mul,
  pow,  ///< args: base, exponent (a number)
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,  ///< args: y, x
  sinh,
  cosh,
  tanh,
  exp,
  log,
  abs,
  sign,
  min,
  max,
  apply,  ///< an unknown function or one of its partial derivatives at its arguments
};

/// What a symbol stands for. The kind is part of the symbol: one name has one kind in a pool.
enum class SymbolKind : std::uint8_t { parameter, coordinate, velocity, time, multiplier, auxiliary };

struct SymbolInfo {
  std::string name;
  SymbolKind kind;
  bool positive = false;  ///< known to be > 0: a mass, a length
};

struct FunctionInfo {
  std::string name;
  std::uint32_t arity;
};

/// Which function an `apply` node calls, and how often it is differentiated in each slot.
struct Application {
  const FunctionInfo* function;
  std::vector<std::uint32_t> orders;  ///< one a slot; all zero: the function itself
};

struct Node {
  Pool* pool;
  std::uint64_t hash;
  std::uint32_t index;
  std::uint32_t depth;  ///< 1 for leaves
  Op op;
  bool constant;  ///< contains no symbol and no unknown function
  std::uint32_t n_args;
  const Expr* args;
  union {
    const Rational* number;
    const SymbolInfo* symbol;
    const Application* application;
  };
};

/// A handle: one pointer, copied freely, valid as long as its pool.
class Expr {
 public:
  Expr() = default;
  explicit Expr(const Node* node) : node_(node) {}

  bool empty() const { return node_ == nullptr; }
  Op op() const { return node_->op; }
  std::span<const Expr> args() const { return {node_->args, node_->n_args}; }
  Expr arg(std::size_t i) const { return node_->args[i]; }
  std::uint32_t index() const { return node_->index; }
  std::uint32_t depth() const { return node_->depth; }
  /// Contains no symbol and no unknown function.
  bool is_constant() const { return node_->constant; }
  bool is(Op op) const { return node_->op == op; }
  bool is_number() const { return is(Op::number); }
  bool is_zero() const { return is_number() && number().is_zero(); }  ///< spelled zero; see algebra for more
  bool is_one() const { return is_number() && number().is_one(); }
  const Rational& number() const { return *node_->number; }               ///< op number only
  const SymbolInfo& symbol() const { return *node_->symbol; }             ///< op symbol only
  const Application& application() const { return *node_->application; }  ///< op apply only
  Pool& pool() const { return *node_->pool; }
  const Node* node() const { return node_; }

  friend bool operator==(Expr a, Expr b) { return a.node_ == b.node_; }

 private:
  const Node* node_ = nullptr;
};

/// Structural order, total on a pool: numbers by value, pi, symbols by name (x2 before x10), then by depth,
/// operator, number of arguments and the first argument that differs. Runs in a loop, not in recursion.
std::strong_ordering compare(Expr a, Expr b);
struct StructuralLess {
  bool operator()(Expr a, Expr b) const { return compare(a, b) < 0; }
};

struct PoolOptions {
  std::uint64_t max_number_bits = 4'000'000;  ///< exact powers beyond this are refused (number_too_large)
};

struct DerivativeCache;

/// Owns nodes, symbols and functions. Not thread safe: one thread, one pool.
class Pool {
 public:
  explicit Pool(PoolOptions options = {});
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  Expr number(const Rational& value);
  Expr pi();
  /// The symbol of that name, made on first use. Throws symbol_kind_conflict if it exists with another kind.
  /// Auxiliary symbols may have a hidden name, "#u1", which no text can spell.
  Expr symbol(std::string_view name, SymbolKind kind = SymbolKind::parameter, bool positive = false);
  /// The symbol of that name if there is one, else an empty handle.
  Expr find_symbol(std::string_view name) const;
  /// Declares an unknown function. Throws wrong_arity if it exists with another arity.
  const FunctionInfo* function(std::string_view name, std::uint32_t arity);
  const FunctionInfo* find_function(std::string_view name) const;
  /// All that is declared, in the order of declaration.
  const std::deque<SymbolInfo>& symbols() const { return symbols_; }
  const std::deque<FunctionInfo>& functions() const { return functions_; }

  Expr add(std::span<const Expr> terms);
  Expr mul(std::span<const Expr> factors);
  Expr pow(Expr base, const Rational& exponent);
  /// An elementary function of `Op::sin` .. `Op::max`; throws wrong_arity, undefined_constant.
  Expr elementary(Op op, std::span<const Expr> args);
  /// f(args), or its partial derivative of the given orders (empty: none).
  Expr apply(const FunctionInfo* function, std::span<const Expr> args,
             std::vector<std::uint32_t> orders = {});
  /// The node again over other arguments, through the build functions above.
  Expr rebuild(Expr node, std::span<const Expr> args);

  std::size_t size() const { return nodes_.size(); }
  Expr at(std::uint32_t index) const { return Expr(nodes_[index]); }
  const PoolOptions& options() const { return options_; }
  DerivativeCache& derivatives() { return *derivatives_; }

  /// Interns a node whose arguments are already in light canonical form. For the build functions only.
  Expr intern(Op op, std::span<const Expr> args, const void* payload = nullptr);

 private:
  void grow_table();
  const Node* find(std::uint64_t hash, Op op, std::span<const Expr> args, const void* payload) const;

  PoolOptions options_;
  std::pmr::monotonic_buffer_resource arena_;
  std::vector<const Node*> nodes_;
  std::vector<const Node*> table_;  ///< open addressing, a power of two long
  std::deque<Rational> rationals_;
  std::deque<SymbolInfo> symbols_;
  std::deque<FunctionInfo> functions_;
  std::deque<Application> applications_;
  std::unordered_map<std::string, const Node*> symbol_by_name_;
  std::unordered_map<std::string, const FunctionInfo*> function_by_name_;
  std::unique_ptr<DerivativeCache> derivatives_;
};

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
/// Throws division_by_zero if b is spelled zero.
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);
Expr operator+(Expr a, const Rational& b);
Expr operator+(const Rational& a, Expr b);
Expr operator-(Expr a, const Rational& b);
Expr operator-(const Rational& a, Expr b);
Expr operator*(const Rational& a, Expr b);
Expr operator*(Expr a, const Rational& b);
Expr operator/(Expr a, const Rational& b);
Expr operator/(const Rational& a, Expr b);
inline Expr& operator+=(Expr& a, Expr b) {
  return a = a + b;
}
inline Expr& operator-=(Expr& a, Expr b) {
  return a = a - b;
}
inline Expr& operator*=(Expr& a, Expr b) {
  return a = a * b;
}

Expr pow(Expr base, const Rational& exponent);
/// base^exponent for any exponent: a rational power, or exp(exponent*log(base)).
Expr pow(Expr base, Expr exponent);
Expr sqrt(Expr x);
Expr sin(Expr x);
Expr cos(Expr x);
Expr tan(Expr x);
Expr asin(Expr x);
Expr acos(Expr x);
Expr atan(Expr x);
Expr atan2(Expr y, Expr x);
Expr sinh(Expr x);
Expr cosh(Expr x);
Expr tanh(Expr x);
Expr exp(Expr x);
Expr log(Expr x);
Expr abs(Expr x);
Expr sign(Expr x);
Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);

/// A term of a sum as (rational coefficient, rest); the rest of a number is 1.
std::pair<Rational, Expr> split_coefficient(Expr term);
/// A factor of a product as (base, rational exponent).
std::pair<Expr, Rational> split_power(Expr factor);
/// The first coefficient in structural order is negative: -x, y - x but not x - y.
bool has_negative_lead(Expr e);

/// Throws Error if the node is not in light canonical form; run at each construction when LIAISON_CHECKS is
/// set.
void check_shape(Expr e);

}  // namespace liaison

template <>
struct std::hash<liaison::Expr> {
  std::size_t operator()(liaison::Expr e) const noexcept { return e.empty() ? 0 : e.node()->hash; }
};

#endif  // LIAISON_EXPR_EXPR_HPP
