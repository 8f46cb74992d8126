#include "entry_program.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace liaison {

namespace {

/// Fewer rows of a shape do not pay for a program of their own.
constexpr std::size_t fewest_rows = 16;
/// Fewer rows in all are one program: it computes what they share once.
constexpr std::size_t fewest_in_all = 400;

/// What a row is but for the names of its symbols: operators, numbers and places of arguments in depth-first
/// order; symbols by first occurrence.
struct RowShape {
  std::vector<std::uint32_t> key;
  std::vector<Expr> symbols;
};

class ShapeReader {
 public:
  RowShape read(const std::vector<Expr>& row) {
    shape_ = {};
    place_.clear();
    for (Expr e : row) visit(e);
    for (Expr e : row) shape_.key.push_back(place_.at(e));
    return std::move(shape_);
  }

 private:
  void visit(Expr root) {
    stack_.push_back({root, 0});
    while (!stack_.empty()) {
      auto& [e, next] = stack_.back();
      if (place_.contains(e)) {
        stack_.pop_back();
      } else if (next < e.args().size()) {
        const Expr argument = e.arg(next++);
        stack_.push_back({argument, 0});
      } else {
        note(e);
        stack_.pop_back();
      }
    }
  }

  void note(Expr e) {
    shape_.key.push_back(static_cast<std::uint32_t>(e.op()));
    if (e.is(Op::symbol)) {
      shape_.key.push_back(static_cast<std::uint32_t>(shape_.symbols.size()));
      shape_.symbols.push_back(e);
    } else if (e.args().empty() || e.is(Op::apply)) {
      shape_.key.push_back(e.index());
    } else {
      shape_.key.push_back(static_cast<std::uint32_t>(e.args().size()));
      for (Expr argument : e.args()) shape_.key.push_back(place_.at(argument));
    }
    place_.emplace(e, static_cast<std::uint32_t>(place_.size()));
  }

  struct Frame {
    Expr e;
    std::size_t next;
  };
  RowShape shape_;
  std::unordered_map<Expr, std::uint32_t> place_;
  std::vector<Frame> stack_;
};

struct Group {
  std::vector<std::size_t> rows;
  std::vector<std::vector<Expr>> symbols;
};

}  // namespace

EntryProgram::EntryProgram(std::span<const Expr> inputs, const std::vector<std::vector<Expr>>& rows,
                           Engine engine) {
  std::vector<std::size_t> first_value;
  std::size_t count = 0;
  for (const std::vector<Expr>& row : rows) {
    first_value.push_back(count);
    count += row.size();
  }
  values_.assign(count, 0);
  std::unordered_map<Expr, std::size_t> input_number;
  for (std::size_t i = 0; i < inputs.size(); ++i) input_number.emplace(inputs[i], i);

  std::map<std::vector<std::uint32_t>, Group> groups;
  ShapeReader reader;
  for (std::size_t k = 0; k < rows.size() && rows.size() >= fewest_in_all; ++k) {
    RowShape shape = reader.read(rows[k]);
    Group& group = groups[std::move(shape.key)];
    group.rows.push_back(k);
    group.symbols.push_back(std::move(shape.symbols));
  }
  std::vector<bool> done(rows.size(), false);
  for (const auto& [key, group] : groups) {
    if (group.rows.size() < fewest_rows) continue;
    const std::vector<Expr>& symbols = group.symbols.front();
    const bool known = std::all_of(symbols.begin(), symbols.end(),
                                   [&](Expr symbol) { return input_number.contains(symbol); });
    if (!known) continue;  // the program below names what is missing
    Shape shape;
    shape.rows = group.rows.size();
    const std::vector<Expr>& first = rows[group.rows.front()];
    shape.kernel = Runner(symbols, first, engine);
    shape.sources.reserve(symbols.size() * shape.rows);
    for (std::size_t i = 0; i < symbols.size(); ++i)
      for (const std::vector<Expr>& others : group.symbols)
        shape.sources.push_back(input_number.at(others[i]));
    for (std::size_t o = 0; o < first.size(); ++o)
      for (std::size_t row : group.rows) shape.targets.push_back(first_value[row] + o);
    for (std::size_t row : group.rows) done[row] = true;
    gathered_.resize(std::max(gathered_.size(), shape.sources.size()));
    results_.resize(std::max(results_.size(), shape.targets.size()));
    shapes_.push_back(std::move(shape));
  }
  std::vector<Expr> rest;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (done[k]) continue;
    for (std::size_t o = 0; o < rows[k].size(); ++o) rest_targets_.push_back(first_value[k] + o);
    rest.insert(rest.end(), rows[k].begin(), rows[k].end());
  }
  rest_ = Runner(inputs, rest, engine);
}

const double* EntryProgram::operator()(const double* in) {
  if (shapes_.empty()) return rest_(in);
  for (Shape& shape : shapes_) {
    for (std::size_t i = 0; i < shape.sources.size(); ++i) gathered_[i] = in[shape.sources[i]];
    shape.kernel.batch(gathered_.data(), results_.data(), shape.rows);
    for (std::size_t i = 0; i < shape.targets.size(); ++i) values_[shape.targets[i]] = results_[i];
  }
  if (!rest_targets_.empty()) {
    const double* found = rest_(in);
    for (std::size_t i = 0; i < rest_targets_.size(); ++i) values_[rest_targets_[i]] = found[i];
  }
  return values_.data();
}

std::size_t EntryProgram::operation_count() const {
  std::size_t count = rest_.program().instructions.size();
  for (const Shape& shape : shapes_) count += shape.rows * shape.kernel.program().instructions.size();
  return count;
}

}  // namespace liaison
