#include "liaison/mechanism/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "diagnostics.hpp"
#include "liaison/expr/thread_memory.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

std::string read_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    refuse(Status::bad_input, path, Problem::unreadable, "this is a folder, not a model",
           "name a file in it that ends in .lia");
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file) {
    refuse(Status::bad_input, path, Problem::unreadable,
           fmt::format("cannot be read: {}", std::strerror(errno)),
           "models are files that end in .lia; look under models/classics");
  }
  return std::move(text).str();
}

System parse(const Source& source) {
  ParsedModel parsed = parse_model(source);
  if (!parsed.ok()) throw Refused{Status::bad_input, messages_of(parsed.diagnostics, source)};
  return std::move(parsed.system);
}

/// What belongs to unilateral constraints has no equation that holds at all states, neither a reaction nor r
/// or drive: whatever asks for it asks in vain, but for equalities at one state.
class UnilateralRefusal {
 public:
  UnilateralRefusal(const System& system, const Unilateral& unilateral)
      : unilateral_(unilateral),
        asked_{system.pool->symbol("lambda_" + unilateral.name, SymbolKind::multiplier)} {
    std::vector<Expr> queries;
    for (const Query& query : system.queries) {
      if (names(query.names)) queries.push_back(query.symbol);
    }
    // A run knows what a closed contact presses, and of r and the like nothing.
    std::swap(asked_, queries);
    for (const Output& output : system.outputs) look_at({output.value}, unilateral.span);
    for (const Event& event : system.events) look_at({event.when}, event.span);
    asked_.insert(asked_.end(), queries.begin(), queries.end());
    look_at(system.forces, unilateral.span);
    for (const Constraint& constraint : system.constraints) {
      look_at(constraint.direction, constraint.span);
      look_at({constraint.relation, constraint.power}, constraint.span);
    }
    for (const Reaction& reaction : system.reactions) look_at({reaction.power}, reaction.span);
    for (const Claim& claim : system.claims) {
      std::vector<Expr> es{claim.left, claim.right, claim.conserved};
      for (const auto& [left, right] : claim.equations) es.insert(es.end(), {left, right});
      const bool at_state = claim.kind == ClaimKind::equality && (!claim.at.empty() || !claim.after.empty());
      if (names(claim.constraints)) {
        add(claim.span);
      } else if (!at_state) {
        look_at(es, claim.span);
      }
    }
  }

  std::vector<Diagnostic> problems;

 private:
  bool names(const std::vector<std::string>& constraints) const {
    return std::find(constraints.begin(), constraints.end(), unilateral_.name) != constraints.end();
  }

  void look_at(const std::vector<Expr>& es, Span span) {
    for (Expr e : es) {
      const auto asks = [&](Expr symbol) { return !e.empty() && depends_on(e, symbol); };
      if (std::any_of(asked_.begin(), asked_.end(), asks)) return add(span);
    }
  }

  void add(Span span) {
    problems.push_back(
        {.code = code_of(Problem::closed_contact),
         .message =
             fmt::format("`{}` is a unilateral constraint: no formula holds for its reaction at all states",
                         unilateral_.name),
         .span = span,
         .label = {},
         .notes = {},
         .hint = "ask at a state, `claim ... at (...)`, or with `liaison motions`; a contact that stays "
                 "closed is a "
                 "`constraint` or a `contact`"});
  }

  const Unilateral& unilateral_;
  std::vector<Expr> asked_;
};

void refuse_questions_about_unilaterals(const System& system, const Source& source) {
  std::vector<Diagnostic> problems;
  for (const Unilateral& unilateral : system.unilaterals) {
    const UnilateralRefusal refusal(system, unilateral);
    problems.insert(problems.end(), refusal.problems.begin(), refusal.problems.end());
  }
  if (!problems.empty()) throw Refused{Status::bad_input, messages_of(problems, source)};
}

/// What follows the end of the pressure of a contact is a motion apart.
void end_runs_at_contacts(System& system) {
  for (const Contact& contact : system.contacts) {
    const Constraint& constraint = system.constraints[contact.constraint];
    system.events.push_back({.name = constraint.name,
                             .when = constraint.factor,
                             .direction = EventDirection::falling,
                             .action = EventAction::stop,
                             .resets = {},
                             .span = contact.span});
  }
}

void speak_of_open_unilaterals(System& system) {
  for (const Unilateral& unilateral : system.unilaterals)
    add_requirement(system.domain, unilateral.gap(), Bound::positive);
}

/// Throws not_a_basis where the velocity parameters of the model do not determine its velocities: a covector
/// on the parameters is then no covector on the velocities.
void require_chart(Algebra& algebra, const Motion& motion) {
  const StateSpace& space = motion.space;
  try {
    space.on_velocities(algebra, std::vector<Expr>(space.size(), space.pool().number(0)));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
  }
}

}  // namespace

MechanismParts::MechanismParts(std::string name, std::string text, AlgebraOptions options)
    : options_(options), source_(std::move(name), std::move(text)), system_(parse(source_)) {
  refuse_questions_about_unilaterals(system_, source_);
  end_runs_at_contacts(system_);
  speak_of_open_unilaterals(system_);
  options_.interrupt = &interrupt_;
  algebra_ = std::make_unique<Algebra>(*system_.pool, options_);
}

MechanismParts::MechanismParts(const MechanismParts& model, System derived)
    : options_(model.options_),
      source_(model.name(), fmt::format("{}\n# derived: {}\n", model.source_.text(), derived.name)),
      system_(std::move(derived)) {
  options_.interrupt = &interrupt_;
  algebra_ = std::make_unique<Algebra>(*system_.pool, options_);
}

std::unique_ptr<MechanismParts> MechanismParts::from_file(const std::string& path, AlgebraOptions options) {
  return std::make_unique<MechanismParts>(path, read_text(path), options);
}

void MechanismParts::require_written_out(const std::string& place, const std::string& reason) const {
  if (system_.families.empty()) return;
  const ContactFamily& family = system_.families.front();
  refuse(Status::bad_input, place.empty() ? name() : place, Problem::closed_contact,
         fmt::format("`{}` is {} contacts that are not written out: {}", family.members->name,
                     family.members->size(), reason),
         "`simulate --integrator moreau --step H`; up to 500 contacts of one `for` are written out");
}

const Motion& MechanismParts::motion() {
  require_written_out({}, "no formulas are derived beside so many");
  if (motion_) return *motion_;
  try {
    auto motion = std::make_shared<const Motion>(derive_motion(*algebra_, system_));
    require_not_interrupted();
    require_chart(*algebra_, *motion);
    motion_ = std::move(motion);
  } catch (const Error& error) {
    require_not_interrupted();
    throw Refused{Status::bad_input, {message_of_model(name(), error)}};
  }
  return *motion_;
}

std::shared_ptr<const Motion> MechanismParts::shared_motion() {
  motion();
  return motion_;
}

std::shared_ptr<const Motion> MechanismParts::motion_for_numbers() {
  if (motion_) return motion_;
  if (motion_for_numbers_) return motion_for_numbers_;
  try {
    constexpr MotionOptions no_closed_forms{.max_directions = 0};
    auto motion = std::make_shared<const Motion>(derive_motion(*algebra_, system_, no_closed_forms));
    require_not_interrupted();
    const StateSpace& space = motion->space;  // throws where velocity parameters do not give velocities
    space.on_velocities(*algebra_, std::vector<Expr>(space.size(), space.pool().number(0)));
    motion_for_numbers_ = std::move(motion);
    return motion_for_numbers_;
  } catch (const Error&) {
    return shared_motion();  // it says why
  }
}

const AssembledEquations& MechanismParts::equations() {
  if (equations_) return *equations_;
  try {
    auto equations = std::make_unique<AssembledEquations>(assemble_equations(*algebra_, system_));
    require_not_interrupted();
    equations_ = std::move(equations);
  } catch (const Error& error) {
    require_not_interrupted();
    throw Refused{Status::bad_input, {message_of_model(name(), error)}};
  }
  return *equations_;
}

void MechanismParts::require_not_interrupted() const {
  if (is_interrupted()) throw Refused{Status::interrupted, {}};
}

bool MechanismParts::Turns::take(std::stop_token token) {
  const std::thread::id self = std::this_thread::get_id();
  std::unique_lock lock(mutex_);
  if (!free_.wait(lock, std::move(token), [&] { return taken_ == 0 || owner_ == self; })) return false;
  owner_ = self;
  ++taken_;
  return true;
}

void MechanismParts::Turns::end() {
  {
    const std::lock_guard lock(mutex_);
    if (--taken_ > 0) return;
  }
  free_.notify_one();
}

MechanismParts::StopScope::StopScope(MechanismParts& parts, std::stop_token token)
    : parts_(parts), token_(token) {
  give_back_numbers_at_thread_end();
  if (!parts.turns_.take(token)) throw Refused{Status::interrupted, {}};
  outer_ = std::exchange(parts.innermost_, this);
  callback_.emplace(std::move(token), Set{&parts.interrupt_});
}

MechanismParts::StopScope::~StopScope() {
  callback_.reset();  // from here on only outer ones set the flag
  parts_.innermost_ = outer_;
  has_cut_short_ = has_cut_short_ || parts_.is_interrupted();
  if (has_cut_short_) forget();
  parts_.turns_.end();
}

/// What was cut short: at the end of the outermost scope, as the others may use the same.
void MechanismParts::StopScope::forget() {
  if (outer_ != nullptr) {
    outer_->has_cut_short_ = true;
    parts_.interrupt_ = false;
    for (const StopScope* scope = outer_; scope != nullptr; scope = scope->outer_)
      if (scope->token_.stop_requested()) parts_.interrupt_ = true;
    return;
  }
  parts_.motion_.reset();
  parts_.motion_for_numbers_.reset();
  parts_.equations_.reset();
  parts_.algebra_ = std::make_unique<Algebra>(*parts_.system_.pool, parts_.options_);
  parts_.interrupt_ = false;
}

}  // namespace liaison
