#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "domain_collector.hpp"
#include "lexer.hpp"
#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/parse.hpp"

namespace liaison {

/// What a name in front of a bracket calls. All empty: nothing known, which has been reported.
struct Callee {
  std::string name;  ///< as the user wrote it
  const OperatorRow* row = nullptr;
  bool square_root = false;
  const FunctionInfo* function = nullptr;
  std::vector<std::uint32_t> orders;  ///< of differentiation, one a slot of `function`
};

/// Operator precedence on two stacks. A run of + and - becomes one sum, a run of * and / one product, so that
/// long texts cost linear time, and no nesting of the text becomes recursion of the program.
class Parser {
 public:
  using Sums = std::vector<std::pair<Expr, Expr>>;
  /// With `sums`, a sum within a sum becomes a hidden symbol, which is entered there with its value.
  Parser(Pool& pool, const Source& source, Span part, const ParseOptions& options, Sums* sums = nullptr);
  ParsedExpression run();

 private:
  enum class Kind : std::uint8_t { bracket, call, plus, minus, times, divide, broken, negate, power, root };
  struct Pending {
    Kind kind;
    Span span;
    std::size_t first_operand;  ///< of a bracket or call: where its operands start
  };
  /// An empty value stands for something that was reported; what contains it is empty too.
  struct Operand {
    Expr value;
    Span span;
    bool negative = false;  ///< a sign that the product or sum around it takes up
  };

  // the two states, and what they meet
  void read_operand();
  void read_operator();
  void read_name();
  void read_symbol();
  bool take_resolved(std::optional<ResolvedName> resolved, Span span);
  void open_call();
  void push_operand(Expr value, Span span);
  void push_open(Kind kind);
  void push_prefix(Kind kind);
  void push_binary(Kind kind);
  void apply_superscript();
  void next_argument();
  void close_bracket();
  void finish();

  // taking the stacks down
  static int binding(Kind kind);
  bool is_open(Kind kind) const { return kind == Kind::bracket || kind == Kind::call; }
  void reduce_above(int level);
  void reduce_top();
  void reduce_sum(std::size_t n_operators);
  void reduce_product(std::size_t n_operators);
  void reduce_power();
  void reduce_prefix();
  void settle_sign(Operand& operand);
  Expr apart(Expr sum);  // written_sums.cpp
  Expr power(Expr base, Expr exponent);
  Expr root(Expr radicand);
  Operand pop_operand();
  Pending pop_pending();
  Expr build_call(const Callee& callee, std::vector<Operand>& arguments, Span span);
  Expr build_elementary(const Callee& callee, std::span<const Expr> values);
  template <class Build>
  Expr guarded(Span span, Build build);

  // names (parse_names.cpp)
  Callee find_callee();
  Callee find_function(const FunctionInfo* function);
  Callee read_derivative_head();
  bool read_derivative_slots(Callee& callee);
  void report_unknown_name();
  void report_unknown_function();
  void report_bare_function();
  void report_not_a_function();
  bool check_arity(const Callee& callee, std::size_t given, Span span);
  bool is_function_name() const;
  std::string name_text() const { return token_.stem + std::string(token_.primes, '\''); }

  // reports
  Diagnostic& report(std::string code, Span span, std::string message);
  void report_missing_operand();
  void report_missing_operator();
  void report_unclosed();
  void report_too_deep();
  std::string quoted(Span span) const;
  std::string text_of(Span span) const;
  void advance();

  Pool& pool_;
  const Source& source_;
  Span part_;
  const ParseOptions& options_;
  Sums* sums_;
  std::vector<Diagnostic> diagnostics_;
  Diagnostic dropped_;  ///< receives reports beyond the limit
  Lexer lexer_;
  Token token_;
  Token previous_;
  std::vector<Operand> operands_;
  std::vector<Pending> pending_;
  std::vector<Callee> callees_;  ///< of the open calls
  DomainCollector domain_;       ///< what the operations read so far need
  std::size_t depth_ = 0;        ///< open brackets, prefix signs and powers
  bool wants_operand_ = true;
  bool muted_ = false;  ///< the lexer has just reported what may be the missing operand
  bool done_ = false;
};

/// "f(x, y)" with as many arguments as the function takes.
std::string sample_call(const std::string& name, std::size_t arity);

}  // namespace liaison
