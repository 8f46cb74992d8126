#include "liaison/mechanism/parts.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "diagnostics.hpp"

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

/// What follows the closing of a contact is an impact.
void keep_contacts_open(System& system) {
  for (const Unilateral& unilateral : system.unilaterals) {
    system.events.push_back({.name = unilateral.name,
                             .when = unilateral.gap,
                             .direction = EventDirection::falling,
                             .action = EventAction::stop,
                             .resets = {},
                             .span = unilateral.span});
    add_requirement(system.domain, unilateral.gap, Bound::positive);
  }
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
  keep_contacts_open(system_);
  options_.interrupt = &interrupt_;
  algebra_ = std::make_unique<Algebra>(*system_.pool, options_);
}

std::unique_ptr<MechanismParts> MechanismParts::from_file(const std::string& path, AlgebraOptions options) {
  return std::make_unique<MechanismParts>(path, read_text(path), options);
}

const Motion& MechanismParts::motion() {
  if (motion_) return *motion_;
  try {
    auto motion = std::make_unique<Motion>(derive_motion(*algebra_, system_));
    require_not_interrupted();
    require_chart(*algebra_, *motion);
    motion_ = std::move(motion);
  } catch (const Error& error) {
    require_not_interrupted();
    throw Refused{Status::bad_input, {message_of_model(name(), error)}};
  }
  return *motion_;
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

MechanismParts::StopScope::StopScope(MechanismParts& parts, std::stop_token token) : parts_(parts) {
  callback_.emplace(std::move(token), Set{&parts.interrupt_});
}

MechanismParts::StopScope::~StopScope() {
  callback_.reset();  // from here on nobody sets the flag
  if (!parts_.is_interrupted()) return;
  parts_.motion_.reset();
  parts_.equations_.reset();
  parts_.algebra_ = std::make_unique<Algebra>(*parts_.system_.pool, parts_.options_);
  parts_.interrupt_ = false;
}

}  // namespace liaison
