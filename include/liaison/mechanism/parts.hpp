#ifndef LIAISON_MECHANISM_PARTS_HPP
#define LIAISON_MECHANISM_PARTS_HPP

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "liaison/mechanics/assembled_equations.hpp"
#include "liaison/mechanics/motion.hpp"
#include "liaison/mechanism/message.hpp"
#include "liaison/model/language.hpp"

namespace liaison {

/// What belongs to one model, and outlives what was made from it: the text, the system in its pool, the
/// algebra; the motion and the equations once they were asked for. Behind `Mechanism`, for those who work
/// with expressions. Everything throws Refused.
class MechanismParts {
 public:
  /// `name` is the place in messages: a path.
  MechanismParts(std::string name, std::string text, AlgebraOptions options = {});
  /// Another system that was derived from the model, in its pool. Messages show the text of the model.
  MechanismParts(const MechanismParts& model, System derived);
  static std::unique_ptr<MechanismParts> from_file(const std::string& path, AlgebraOptions options = {});
  MechanismParts(const MechanismParts&) = delete;
  MechanismParts& operator=(const MechanismParts&) = delete;

  const std::string& name() const { return source_.name(); }
  const Source& source() const { return source_; }
  /// The gap of a unilateral constraint is positive in the domain here: what is derived and claimed is about
  /// open contacts. The end of the pressure of a `contact` is an event that ends a run.
  const System& system() const { return system_; }
  Algebra& algebra() { return *algebra_; }
  /// Throws Refused where the model has contacts of a `for` that are too many to be written out: `place` is
  /// an option, or empty for the model.
  void require_written_out(const std::string& place, const std::string& reason) const;
  const Motion& motion();
  /// Null as long as nobody asked for it.
  const Motion* motion_if_made() const { return motion_.get(); }
  /// The same as `motion()`, for those who keep it.
  std::shared_ptr<const Motion> shared_motion();
  /// What numbers at a state need, without the closed forms of accelerations and reactions, which take much
  /// longer than all else, seconds where some coordinates are coupled; `motion()` where that was made.
  std::shared_ptr<const Motion> motion_for_numbers();
  const AssembledEquations& equations();

  bool is_interrupted() const { return interrupt_.load(std::memory_order_relaxed); }
  /// Throws Refused with Status::interrupted: what was computed since may have been cut short.
  void require_not_interrupted() const;

  /// While it lives, a stop token ends exact work and runs. What an interrupt has cut short is forgotten at
  /// its end, so that a later call gives the same as ever; what a scope within another one has cut short at
  /// the end of the outermost, which may use the same. Other threads wait where they begin one: who is
  /// stopped while it waits gets Refused with Status::interrupted.
  class StopScope {
   public:
    StopScope(MechanismParts& parts, std::stop_token token);
    ~StopScope();
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;

   private:
    struct Set {
      std::atomic<bool>* flag;
      void operator()() const { flag->store(true, std::memory_order_relaxed); }
    };
    void forget();

    MechanismParts& parts_;
    std::stop_token token_;
    StopScope* outer_ = nullptr;
    bool has_cut_short_ = false;
    std::optional<std::stop_callback<Set>> callback_;
  };

 private:
  /// One thread has its turn; it may take it again, as a row of a run that asks.
  class Turns {
   public:
    /// Waits for the end of another thread's; false where the token was stopped meanwhile.
    bool take(std::stop_token token);
    void end();

   private:
    std::mutex mutex_;
    std::condition_variable_any free_;
    std::thread::id owner_;
    std::size_t taken_ = 0;
  };

  std::atomic<bool> interrupt_ = false;
  Turns turns_;
  AlgebraOptions options_;
  Source source_;
  System system_;
  std::unique_ptr<Algebra> algebra_;
  std::shared_ptr<const Motion> motion_, motion_for_numbers_;
  std::unique_ptr<AssembledEquations> equations_;
  StopScope* innermost_ = nullptr;
};

}  // namespace liaison

#endif  // LIAISON_MECHANISM_PARTS_HPP
