#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace liaison {

/// What an object knows of its run, as numbers of a checkpoint. A class that remembers has one function
///   template <class Memory> void remember(Memory& memory) { memory(size_, values_); }
/// which writes it (Memorise) or takes it back (Recall).
class Memorise {
 public:
  template <class... Parts>
  void operator()(Parts&... parts) {
    (one(parts), ...);
  }
  const std::vector<double>& numbers() const { return numbers_; }

 private:
  void one(double& number) { numbers_.push_back(number); }
  void one(std::size_t& count) { numbers_.push_back(static_cast<double>(count)); }
  void one(bool& flag) { numbers_.push_back(flag ? 1 : 0); }
  void one(char& letter) { numbers_.push_back(static_cast<unsigned char>(letter)); }
  template <class List>
    requires requires(List& list) { list.resize(1); }
  void one(List& list) {
    numbers_.push_back(static_cast<double>(list.size()));
    for (auto& part : list) one(part);
  }
  template <class Part>
    requires requires(Part& part, Memorise& memory) { part.remember(memory); }
  void one(Part& part) {
    part.remember(*this);
  }

  std::vector<double> numbers_;
};

class Recall {
 public:
  explicit Recall(std::span<const double> numbers) : numbers_(numbers) {}
  template <class... Parts>
  void operator()(Parts&... parts) {
    (one(parts), ...);
  }
  /// All numbers were taken, and no more were asked for.
  bool fits() const { return fits_ && numbers_.empty(); }

 private:
  double next() {
    if (numbers_.empty()) {
      fits_ = false;
      return 0;
    }
    const double number = numbers_[0];
    numbers_ = numbers_.subspan(1);
    return number;
  }
  std::size_t count() {
    const double number = next();
    return number >= 0 && number < 9e15 ? static_cast<std::size_t>(number) : 0;
  }
  void one(double& number) { number = next(); }
  void one(std::size_t& number) { number = count(); }
  void one(bool& flag) { flag = next() != 0; }
  void one(char& letter) { letter = static_cast<char>(static_cast<unsigned char>(count() & 0xff)); }
  template <class List>
    requires requires(List& list) { list.resize(1); }
  void one(List& list) {
    const std::size_t size = count();
    if (size > numbers_.size()) {  // each part takes a number at least
      fits_ = false;
      return;
    }
    list.resize(size);
    for (auto& part : list) one(part);
  }
  template <class Part>
    requires requires(Part& part, Recall& memory) { part.remember(memory); }
  void one(Part& part) {
    part.remember(*this);
  }

  std::span<const double> numbers_;
  bool fits_ = true;
};

}  // namespace liaison
