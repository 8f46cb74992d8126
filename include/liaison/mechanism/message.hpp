#ifndef LIAISON_MECHANISM_MESSAGE_HPP
#define LIAISON_MECHANISM_MESSAGE_HPP

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// What is said instead of a result, or beside it. Plain: strings only.
namespace liaison {

/// How something that was asked for ended. The numbers are the exit codes of the program, a contract.
enum class Status {
  done = 0,
  does_not_hold = 1,      ///< a claim, or a verdict that was asked for
  bad_input = 2,          ///< the model, or what was asked of it
  numerical_failure = 3,  ///< no value there, or a file that cannot be written
  interrupted = 130,      ///< by a stop token
};

/// Codes of what is wrong besides the text of a model; stable, each with an entry in
/// docs/reference/errors.md.
enum class Problem {
  not_on_constraint = 501,        ///< a state that violates a constraint
  no_parameter_value = 502,       ///< a parameter without a value
  no_motion = 503,                ///< no factors keep the relations at the state
  singular_mass = 504,            ///< the accelerations are not determined at the state
  no_value = 505,                 ///< division by zero, a root of a negative number, an unknown function
  not_finite = 506,               ///< a result beyond the range of a double
  too_few_relations = 507,        ///< factors in their own directions, and more forces than relations
  bad_power = 508,                ///< a power that is not of degree one, seen in the velocity parameters
  bad_velocity_chart = 509,       ///< velocity parameters that do not determine the velocities
  unreadable = 510,               ///< a file or folder that cannot be read
  no_models = 511,                ///< a folder without models
  unknown_formulation = 512,      ///< a formulation with a name that is none
  not_written = 513,              ///< an output that cannot be written
  bad_usage = 514,                ///< an unknown command or option, a missing argument, a number out of range
  no_state_on_constraints = 515,  ///< nothing near the given state satisfies all constraints
  not_resumed = 516,              ///< nothing to go on from, or the file of another run
  run_stopped = 517,              ///< a run that met a singular state
  not_an_output = 518,            ///< a file to be written that is read too, or is written by another run
  closed_contact = 519,           ///< a state at which a unilateral constraint is closed
  no_direction = 520,             ///< friction at a speed of zero
  pulling_contact = 521,          ///< a contact with a negative normal reaction
  no_normal = 522,                ///< a contact at an edge of its surface, or where its gap has no gradient
  internal = 599,                 ///< something that the program did not expect
};
/// "L0501".
std::string code_of(Problem problem);

struct Message {
  std::string place;  ///< a path, an option, or a path with line and column; may be empty
  std::string code;   ///< "L0501"
  std::string text;
  std::string hint;  ///< may be empty
  /// Of a problem in a text: all of it, with the line and a caret.
  std::string with_line = {};
};
/// "PLACE: error: TEXT [CODE]", the hint below it.
std::string to_string(const Message& message);
std::string to_string(const std::vector<Message>& messages);

/// Thrown between the parts of a mechanism; `Mechanism` turns it into an answer.
struct Refused {
  Status status;
  std::vector<Message> messages;
};
[[noreturn]] void refuse(Status status, const std::string& place, Problem problem, const std::string& text,
                         const std::string& hint);

/// A result, or what stands in its way. There may be both: the numbers of a state without a motion.
template <class T>
class Answer {
 public:
  Answer(T value, Status status = Status::done,
         std::vector<Message> messages = {})  // NOLINT: a value answers
      : value_(std::move(value)), status_(status), messages_(std::move(messages)) {}
  Answer(Refused refused)  // NOLINT
      : status_(refused.status), messages_(std::move(refused.messages)) {}

  /// There is a result.
  explicit operator bool() const { return value_.has_value(); }
  /// Throws std::runtime_error with the messages where there is none.
  const T& operator*() const& { return get(*this); }
  T& operator*() & { return get(*this); }
  T operator*() && { return std::move(get(*this)); }
  const T* operator->() const& { return &get(*this); }
  T* operator->() & { return &get(*this); }
  const T* operator->() && = delete;  // it would point into what is gone

  Status status() const { return status_; }
  const std::vector<Message>& messages() const { return messages_; }
  std::string text() const { return to_string(messages_); }  ///< of the messages

 private:
  template <class Self>
  static auto& get(Self& self) {
    if (!self.value_) throw std::runtime_error(self.text());
    return *self.value_;
  }

  std::optional<T> value_;
  Status status_;
  std::vector<Message> messages_;
};

}  // namespace liaison

#endif  // LIAISON_MECHANISM_MESSAGE_HPP
