#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "liaison/expr/parse.hpp"
#include "liaison/model/language.hpp"
#include "syntax.hpp"

namespace liaison {

/// What may stand in an expression, by where it stands. Parameters may stand everywhere.
struct Context {
  std::string_view what;  ///< "the potential energy"
  bool coordinates = true;
  bool velocities = true;
  bool accelerations = false;
  bool multipliers = false;
  bool queries = false;
  bool time = true;
};

enum class NameKind {
  parameter,
  coordinate,
  quaternion,
  matrix_entry,
  velocity,
  rate,
  velocity_parameter,
  rheonomic,
  let,
  time,
  function,
};
std::string_view describe(NameKind kind);

struct NameEntry {
  NameKind kind;
  Expr value;  ///< empty for functions
  Span span;
  Domain domain = {};              ///< of the text behind a `let`
  std::vector<Expr> written = {};  ///< symbols in the text behind a `let`
  std::vector<Corner> corners = {};
};

/// A function of the model; `body` is empty if it is unknown.
struct FunctionEntry {
  const FunctionInfo* info;
  std::vector<Expr> parameters;
  Expr body;
  Domain domain = {};              ///< of the body, in the parameters
  std::vector<Expr> written = {};  ///< symbols in the text of the body
  std::vector<Corner> corners = {};
};

/// A name for what is known only when all is read: T', V', and what a drive does.
struct Deferred {
  enum class Kind { kinetic_rate, potential_rate, drive_force, drive_power } kind;
  std::string name;  ///< of the drive
  Expr symbol;       ///< auxiliary
  Span span;         ///< where it is asked for first
};

/// A spring or a damper, as claims and outputs may ask for it.
struct ElementEntry {
  Expr length;
  Expr tension;  ///< it pulls its ends together where this is positive
  Expr rate;     ///< of its length, while its own law is read; else the derivative is taken
};

/// Particles, bodies and frames, as expressions may ask for them; what is wrong is reported, and empty.
class Objects {
 public:
  virtual ~Objects() = default;
  virtual bool knows(const std::string& name) const = 0;
  virtual std::vector<Expr> point_at(const syntax::Place& place) = 0;
  /// The rate of turning: one component in the plane, three in space on its axes.
  virtual std::vector<Expr> turning_of(const syntax::Name& name) = 0;
  /// What a joint does to its second body; one component: a moment in the plane. A component that is not
  /// determined is empty.
  virtual std::vector<Expr> reaction_of(const syntax::Name& name, bool moment, Span asked) = 0;
  /// Of a particle or a body: m v, or its spin, one component in the plane and three in space on its axes.
  virtual std::vector<Expr> momentum_of(const syntax::Name& name, bool spin) = 0;
  /// What stands for the unit of a number until dimensions are known: it takes the one that is needed.
  virtual Expr unit_of_number() = 0;
  virtual Expr distance(const syntax::Place& one, const syntax::Place& other) = 0;
};

class Reports {
 public:
  Diagnostic& add(std::string code, Span span, std::string message, std::string hint = {});
  void add(Diagnostic diagnostic) { list_.push_back(std::move(diagnostic)); }
  bool full() const { return list_.size() >= max_reports; }
  bool empty() const { return list_.empty(); }
  /// By place, at most 20; `place` says where in the text of the model something is written.
  std::vector<Diagnostic> take(const std::function<Span(Span)>& place);

 private:
  static constexpr std::size_t max_reports = 20;
  std::vector<Diagnostic> list_;
};

/// The names of a model and what they stand for, at one point of the text.
class Scope {
 public:
  Scope(System& system, const Source& masked, const ModelOptions& options, Reports& reports);

  /// Names that the whole text declares, to tell a name used too early from an unknown one.
  void foresee(const std::vector<syntax::Statement>& statements);
  /// A statement that could not be read may have declared any of its names: their uses are not reported.
  void excuse(Span statement);

  /// Makes a name known; says no, with a report, if it cannot be used.
  bool declare(const syntax::Name& name, NameKind kind, Expr value, Domain domain = {},
               std::vector<Expr> written = {}, std::vector<Corner> corners = {});
  /// A name that a declaration brings with it: x' of x, the quaternion of a rotation.
  bool declare_generated(const std::string& name, Span cause, NameKind kind, Expr value);
  bool is_free(const syntax::Name& name);
  const NameEntry* find(const std::string& name) const;
  void declare_function(const syntax::Name& name, FunctionEntry function);
  /// Says no, with a report, if there is another of this name.
  bool declare_element(const syntax::Name& name, ElementEntry element);
  bool has_element(const std::string& name) const { return elements_.contains(name); }
  /// While the law of a spring or a damper is read: symbols stand for its length and rate.
  void set_own_element(const std::string& name, ElementEntry element);
  void forget_own_element(const std::string& name);
  void set_objects(Objects& objects) { objects_ = &objects; }
  /// Names of a function's arguments while its body is read.
  void set_locals(std::unordered_map<std::string, Expr> locals) { locals_ = std::move(locals); }

  /// The expression in a part of the text; empty if it has been reported.
  Expr read(Span part, const Context& context);
  /// Where all that was read since the last call has a value; may hold a requirement several times.
  Domain take_domain() { return std::exchange(domain_, {}); }
  /// Symbols in the text of all that was read since the last call, each once, also where the expression has
  /// lost them: z of 0*z. A `let` or a function brings those of its own text.
  std::vector<Expr> take_written() { return std::exchange(written_, {}); }
  /// Corners of what was differentiated in all that was read since the last call.
  std::vector<Corner> take_corners() { return std::exchange(corners_, {}); }
  /// Whether the symbols of an expression may stand in this context; reports one that may not.
  bool check(Expr e, Span part, const Context& context);

  /// As far as is known before all is read: a side c_1 of a unilateral c with a corner may be meant.
  bool is_constraint(const std::string& name) const;
  /// Of what factors and their like were asked for so far.
  const std::vector<syntax::Name>& asked_constraints() const { return asked_; }
  void ask_for_constraint(syntax::Name name) { asked_.push_back(std::move(name)); }
  /// Reports a name that is no constraint.
  void report_unknown_constraint(const std::string& name, Span span);
  Expr factor(const std::string& constraint);
  /// The acceleration that a name like x'' or p' stands for; empty if it is none.
  Expr find_acceleration(const std::string& name);
  Expr find_derived(Expr e) const;
  ResolvedName refuse_derivative(const std::string& name, Span span, Expr last) const;
  std::vector<std::string> known_names() const;
  std::optional<std::string> rate_written_otherwise(const std::string& name) const;
  /// What the texts asked for and `drives.cpp` puts in.
  const std::vector<Deferred>& deferred() const { return deferred_; }

 private:
  bool report_unit(Span part);
  Expr read_inside(Span part, const Context& context);
  std::optional<ResolvedName> resolve(const std::string& name, Span span);
  std::optional<ResolvedName> resolve_primes(const std::string& name, Span span);
  std::optional<ResolvedName> resolve_call(const std::string& name, Span span, std::size_t open);
  std::optional<std::pair<std::string, std::size_t>> member_behind(std::size_t dot) const;
  std::optional<ResolvedName> resolve_member(const std::string& name, Span span);
  /// P.x: of the point; B.omega.x: of the vector behind the first dot.
  struct Member {
    syntax::Name object;
    std::string vector;  ///< empty: the point
    std::string letter;
    std::string text;  ///< behind the object, with primes
    std::size_t primes = 0;
    Span span;
  };
  ResolvedName component(const Member& asked);
  std::optional<ResolvedName> resolve_distance(Span span, std::size_t open);
  std::optional<ResolvedName> resolve_velocity(bool is_speed, Span span, std::size_t open);
  ResolvedName resolve_integral(Span span, std::size_t open);

  // conditions (conditions.cpp)
  std::optional<ResolvedName> resolve_condition_call(const std::string& name, Span span, std::size_t open);
  ResolvedName resolve_if(Span word);
  ResolvedName resolve_piecewise(Span whole, Span inside);
  ResolvedName resolve_step(Span whole, Span inside);
  Expr read_condition(Span span);
  Expr read_comparison(Span span);
  Expr read_part(Span span, std::string_view what);
  void report_condition(Span span, std::string message, std::string hint);

  ResolvedName derived(const std::string& name, Span span, Expr value, Domain domain, std::size_t primes);
  ResolvedName allowed(const std::string& name, Span span, Expr value, const Domain& domain = {});
  ResolvedName unknown(const std::string& name, Span span);
  ResolvedName read_element(const std::string& name, Span span, const std::vector<syntax::Name>& arguments);
  ResolvedName read_query(const std::string& name, Span span, const std::vector<syntax::Name>& arguments);
  std::optional<Diagnostic> check_query(QueryKind kind, const std::vector<syntax::Name>& arguments);
  Expr query(QueryKind kind, std::vector<std::string> names);
  Expr deferred(Deferred::Kind kind, const std::string& name, Span span);
  std::optional<Diagnostic> check_drive(const syntax::Name& name);
  bool is_energy(Expr symbol) const;
  bool is_derived_quantity(Expr symbol) const;
  Expr rate_of(Expr e, Span span);
  Expr inline_functions(Expr e);
  Domain domain_of_call(const FunctionInfo& function, std::span<const Expr> args);
  void note_written(std::span<const Expr> symbols);
  void note_corners(Expr differentiated);
  void note_corners_of_functions(Expr parsed);
  void foresee_name(const syntax::Name& name, std::size_t end);

  System& system_;
  const Source& masked_;
  const ModelOptions& options_;
  Reports& reports_;
  Objects* objects_ = nullptr;
  const Context* context_ = nullptr;
  std::size_t part_end_ = 0;  ///< of the expression that is read
  std::size_t nesting_ = 0;   ///< of conditions inside of each other
  std::unordered_map<std::string, NameEntry> names_;
  std::unordered_map<std::string, Expr> locals_;
  struct Foreseen {
    Span name;
    std::size_t end;  ///< of what declares it
  };
  std::unordered_map<std::string, Foreseen> later_;
  bool is_excused(const std::string& name) const;

  std::unordered_set<std::string> excused_;
  std::unordered_set<std::string> excused_parts_;  ///< beginnings of the names of a part
  std::vector<std::string> excused_beginnings_;    ///< of names with indices: `x_` of `x_{i}`
  std::unordered_set<std::string> constraints_;
  std::vector<std::string> constraint_order_;
  std::unordered_set<std::string> unilaterals_;
  std::unordered_set<std::string> joints_;
  std::vector<syntax::Name> asked_;
  std::vector<Deferred> deferred_;
  std::map<std::string, std::pair<ElementEntry, Span>> elements_;
  std::vector<FunctionEntry> functions_;
  bool has_defined_functions_ = false;
  Domain domain_;
  std::vector<Expr> written_;
  std::vector<Corner> corners_;
};

/// What is said where `integral(..)` cannot stand.
inline constexpr std::string_view place_of_integrals =
    "integrals along a motion are for outputs, and for claims `after` a time";

/// One diagnostic.
Diagnostic make_diagnostic(std::string code, Span span, std::string message, std::string hint = {});

}  // namespace liaison
