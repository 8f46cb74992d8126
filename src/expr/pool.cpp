#include <cstring>

#include "derivative_cache.hpp"
#include "liaison/expr/expr.hpp"
#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/text_hash.hpp"
#include "liaison/expr/thread_memory.hpp"
#include "work.hpp"

namespace liaison {

namespace {

constexpr std::size_t initial_table_size = 1 << 10;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  hash *= 0xbf58476d1ce4e5b9ULL;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_payload(Op op, const void* payload) {
  switch (op) {
    case Op::number: return static_cast<const Rational*>(payload)->hash();
    case Op::symbol: return hash_of_text(static_cast<const SymbolInfo*>(payload)->name);
    case Op::apply: {
      const auto& application = *static_cast<const Application*>(payload);
      std::uint64_t hash = hash_of_text(application.function->name);
      for (auto order : application.orders) hash = mix(hash, order);
      return hash;
    }
    default: return 0;
  }
}

/// Structural hash: from contents alone, so that no run depends on addresses.
std::uint64_t hash_node(Op op, std::span<const Expr> args, const void* payload) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(op), hash_payload(op, payload));
  for (Expr arg : args) hash = mix(hash, arg.node()->hash);
  return hash;
}

bool same_payload(const Node& node, const void* payload) {
  switch (node.op) {
    case Op::number: return *node.number == *static_cast<const Rational*>(payload);
    case Op::symbol: return node.symbol->name == static_cast<const SymbolInfo*>(payload)->name;
    case Op::apply: {
      const auto& other = *static_cast<const Application*>(payload);
      return node.application->function == other.function && node.application->orders == other.orders;
    }
    default: return true;
  }
}

bool is_name(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9') || name[0] == '\'') return false;
  bool primes = false;
  for (char c : name) {
    const bool letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (c != '\'' && (!letter || primes)) return false;
    primes = primes || c == '\'';
  }
  return true;
}

[[noreturn]] void throw_invalid_name(std::string_view name, const std::string& hint) {
  throw Error(ErrorCode::invalid_name, "`" + std::string(name) + "` is not a name", hint);
}

void require_name(std::string_view name) {
  if (!is_name(name)) {
    throw_invalid_name(name, "a name is a letter, then letters, digits and _, then any number of '");
  }
  if (find_operator(name) != nullptr || name == "sqrt" || name == "pi") {
    throw_invalid_name(name, "the language has it already; choose another name");
  }
}

/// "#1": cannot be typed, because # begins a comment; for symbols that stand for something during a
/// computation.
bool is_hidden_name(std::string_view name, SymbolKind kind) {
  return kind == SymbolKind::auxiliary && name.starts_with('#') && is_name("_" + std::string(name.substr(1)));
}

void require_function_name(std::string_view name) {
  require_name(name);
  if (name.ends_with('\'') || name == "D") {
    throw_invalid_name(name, "f'(x) and D(f, 1)(x) are derivatives; choose another name for the function");
  }
}

}  // namespace

Pool::Pool(PoolOptions options)
    : options_(options),
      table_(initial_table_size, nullptr),
      derivatives_(std::make_unique<DerivativeCache>()) {
  give_back_numbers_at_thread_end();
}

Pool::~Pool() {
  give_back_numbers_at_thread_end();  // it may end on another thread
}

const Node* Pool::find(std::uint64_t hash, Op op, std::span<const Expr> args, const void* payload) const {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t slot = hash & mask; table_[slot] != nullptr; slot = (slot + 1) & mask) {
    const Node& node = *table_[slot];
    if (node.hash == hash && node.op == op && node.n_args == args.size() &&
        std::equal(args.begin(), args.end(), node.args) && same_payload(node, payload)) {
      return &node;
    }
  }
  return nullptr;
}

void Pool::grow_table() {
  std::vector<const Node*> larger(table_.size() * 2, nullptr);
  const std::size_t mask = larger.size() - 1;
  for (const Node* node : nodes_) {
    std::size_t slot = node->hash & mask;
    while (larger[slot] != nullptr) slot = (slot + 1) & mask;
    larger[slot] = node;
  }
  table_ = std::move(larger);
}

Expr Pool::intern(Op op, std::span<const Expr> args, const void* payload) {
  constexpr std::uint64_t parts_a_node = 10;
  note_work(parts_a_node + args.size());
  const std::uint64_t hash = hash_node(op, args, payload);
  if (const Node* known = find(hash, op, args, payload)) return Expr(known);
  if ((nodes_.size() + 1) * 2 > table_.size()) grow_table();

  auto* node = new (arena_.allocate(sizeof(Node), alignof(Node))) Node{};
  node->pool = this;
  node->hash = hash;
  node->index = static_cast<std::uint32_t>(nodes_.size());
  node->op = op;
  node->constant = op != Op::symbol && op != Op::apply;
  node->depth = 1;
  node->n_args = static_cast<std::uint32_t>(args.size());
  if (!args.empty()) {
    auto* copy = static_cast<Expr*>(arena_.allocate(args.size_bytes(), alignof(Expr)));
    std::uninitialized_copy(args.begin(), args.end(), copy);
    node->args = copy;
  }
  for (Expr arg : args) {
    node->depth = std::max(node->depth, arg.depth() + 1);
    node->constant = node->constant && arg.is_constant();
  }
  switch (op) {
    case Op::number: node->number = &rationals_.emplace_back(*static_cast<const Rational*>(payload)); break;
    case Op::symbol: node->symbol = static_cast<const SymbolInfo*>(payload); break;
    case Op::apply:
      node->application = &applications_.emplace_back(*static_cast<const Application*>(payload));
      break;
    default: break;
  }
  nodes_.push_back(node);
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash & mask;
  while (table_[slot] != nullptr) slot = (slot + 1) & mask;
  table_[slot] = node;
#ifdef LIAISON_CHECKS
  check_shape(Expr(node));
#endif
  return Expr(node);
}

Expr Pool::number(const Rational& value) {
  return intern(Op::number, {}, &value);
}

Expr Pool::pi() {
  return intern(Op::pi, {});
}

Expr Pool::symbol(std::string_view name, SymbolKind kind, bool positive) {
  if (auto known = symbol_by_name_.find(std::string(name)); known != symbol_by_name_.end()) {
    const SymbolInfo& info = *known->second->symbol;
    if (info.kind != kind || info.positive != positive) {
      throw Error(ErrorCode::symbol_kind_conflict, "`" + info.name + "` is already a symbol of another kind",
                  "one name has one kind and one sign in a pool; choose another name");
    }
    return Expr(known->second);
  }
  if (!is_hidden_name(name, kind)) require_name(name);
  const SymbolInfo& info = symbols_.emplace_back(SymbolInfo{std::string(name), kind, positive});
  const Expr made = intern(Op::symbol, {}, &info);
  symbol_by_name_.emplace(info.name, made.node());
  return made;
}

Expr Pool::find_symbol(std::string_view name) const {
  auto known = symbol_by_name_.find(std::string(name));
  return known == symbol_by_name_.end() ? Expr() : Expr(known->second);
}

const FunctionInfo* Pool::function(std::string_view name, std::uint32_t arity) {
  if (auto known = find_function(name)) {
    if (known->arity != arity) {
      throw Error(ErrorCode::wrong_arity, "the function `" + known->name + "` takes " +
                                              std::to_string(known->arity) + " arguments, not " +
                                              std::to_string(arity));
    }
    return known;
  }
  require_function_name(name);
  if (arity == 0) {
    throw Error(ErrorCode::wrong_arity, "the function `" + std::string(name) + "` has no arguments",
                "a function of nothing is a parameter");
  }
  const FunctionInfo& info = functions_.emplace_back(FunctionInfo{std::string(name), arity});
  function_by_name_.emplace(info.name, &info);
  return &info;
}

const FunctionInfo* Pool::find_function(std::string_view name) const {
  auto known = function_by_name_.find(std::string(name));
  return known == function_by_name_.end() ? nullptr : known->second;
}

Expr Pool::apply(const FunctionInfo* function, std::span<const Expr> args,
                 std::vector<std::uint32_t> orders) {
  if (args.size() != function->arity) {
    throw Error(ErrorCode::wrong_arity, "the function `" + function->name + "` takes " +
                                            std::to_string(function->arity) + " arguments, not " +
                                            std::to_string(args.size()));
  }
  orders.resize(function->arity, 0);
  const Application application{function, std::move(orders)};
  return intern(Op::apply, args, &application);
}

Expr Pool::rebuild(Expr node, std::span<const Expr> args) {
  switch (node.op()) {
    case Op::number:
    case Op::pi:
    case Op::symbol: return node;
    case Op::add: return add(args);
    case Op::mul: return mul(args);
    case Op::pow: return liaison::pow(args[0], args[1]);
    case Op::apply: return apply(node.application().function, args, node.application().orders);
    default: return elementary(node.op(), args);
  }
}

}  // namespace liaison
