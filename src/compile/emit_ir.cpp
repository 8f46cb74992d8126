#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <fmt/format.h>

#include "emit_ir.hpp"
#include "kernels.hpp"

namespace liaison {
namespace {

using llvm::Value;

llvm::FunctionType* program_type(llvm::LLVMContext& context) {
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* size = llvm::Type::getInt64Ty(context);
  return llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, size, pointer, size, pointer},
                                 false);
}

/// One chunk as a function of straight-line code.
class ChunkWriter {
 public:
  ChunkWriter(llvm::Module& module, const Program& program, const EmitOptions& options)
      : program_(program),
        options_(options),
        module_(module),
        builder_(module.getContext()),
        scalar_(builder_.getDoubleTy()),
        type_(options.lanes == 1 ? scalar_ : llvm::FixedVectorType::get(scalar_, options.lanes)) {
    llvm::FastMathFlags flags;
    flags.setAllowContract(options.contract);
    builder_.setFastMathFlags(flags);
  }

  llvm::Function* write(const Chunk& chunk, const std::string& name) {
    function_ = llvm::Function::Create(program_type(module_.getContext()), llvm::Function::InternalLinkage,
                                       name, module_);
    function_->setDoesNotThrow();
    for (unsigned i : {0u, 2u, 4u}) function_->addParamAttr(i, llvm::Attribute::NoAlias);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", function_));
    slots_.assign(program_.slot_count, nullptr);
    inputs_.assign(program_.inputs.size(), nullptr);
    sine_ = cosine_ = nullptr;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) step(program_.instructions[i]);
    for (std::uint32_t slot : chunk.stores) write_memory(slots_[slot], scratch_address(slot));
    builder_.CreateRetVoid();
    return function_;
  }

  const CalledFunctions& called() const { return called_; }

 private:
  Value* scratch_address(std::uint32_t slot) {
    return builder_.CreateConstInBoundsGEP1_64(scalar_, function_->getArg(4),
                                               std::uint64_t{slot} * options_.lanes);
  }
  /// The variable `index` of the array in the given argument, whose step is the argument after it.
  Value* variable_address(unsigned argument, std::uint32_t index) {
    Value* base = function_->getArg(argument);
    if (options_.lanes == 1) return builder_.CreateConstInBoundsGEP1_64(scalar_, base, index);
    Value* offset = builder_.CreateMul(builder_.getInt64(index), function_->getArg(argument + 1));
    return builder_.CreateInBoundsGEP(scalar_, base, offset);
  }
  Value* read_memory(Value* address) { return builder_.CreateAlignedLoad(type_, address, llvm::Align(8)); }
  void write_memory(Value* value, Value* address) {
    builder_.CreateAlignedStore(value, address, llvm::Align(8));
  }

  Value* operand(Operand operand) {
    switch (operand.kind) {
      case Operand::Kind::constant: return llvm::ConstantFP::get(type_, program_.constants[operand.index]);
      case Operand::Kind::input: {
        Value*& value = inputs_[operand.index];
        if (value == nullptr) value = read_memory(variable_address(0, operand.index));
        return value;
      }
      case Operand::Kind::slot: break;
    }
    Value*& value = slots_[operand.index];
    if (value == nullptr) value = read_memory(scratch_address(operand.index));
    return value;
  }

  void step(const Instruction& instruction) {
    Value* a = operand(instruction.a);
    Value* b = operand_count(instruction.operation) == 2 ? operand(instruction.b) : nullptr;
    if (instruction.operation == Operation::store) {
      write_memory(a, variable_address(2, instruction.destination));
    } else if (instruction.operation == Operation::sincos) {
      sine_and_cosine(instruction, a);
    } else {
      slots_[instruction.destination] = result(instruction.operation, a, b);
    }
  }

  Value* result(Operation operation, Value* a, Value* b) {
    switch (operation) {
      case Operation::add: return builder_.CreateFAdd(a, b);
      case Operation::sub: return builder_.CreateFSub(a, b);
      case Operation::mul: return builder_.CreateFMul(a, b);
      case Operation::div: return builder_.CreateFDiv(a, b);
      case Operation::neg: return builder_.CreateFNeg(a);
      case Operation::sqrt: return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a);
      case Operation::abs: return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
      case Operation::sign: return sign(a);
      case Operation::min: return smaller_or_nan(builder_.CreateFCmpOLT(a, b), a, b);
      case Operation::max: return smaller_or_nan(builder_.CreateFCmpOGT(a, b), a, b);
      default: return call(operation, a, b);
    }
  }

  Value* sign(Value* a) {
    Value* zero = llvm::ConstantFP::get(type_, 0);
    Value* above = builder_.CreateUIToFP(builder_.CreateFCmpOGT(a, zero), type_);
    Value* below = builder_.CreateUIToFP(builder_.CreateFCmpOLT(a, zero), type_);
    return builder_.CreateFSub(above, below);
  }
  /// a where the comparison holds or a is NaN, else b.
  Value* smaller_or_nan(Value* holds, Value* a, Value* b) {
    return builder_.CreateSelect(builder_.CreateOr(holds, builder_.CreateFCmpUNO(a, a)), a, b);
  }

  /// A function that lies anywhere in memory: called through a pointer beside the code.
  llvm::FunctionCallee function(const std::string& name, const void* address, llvm::FunctionType* type) {
    called_.emplace(name, address);
    llvm::FunctionCallee callee = module_.getOrInsertFunction(name, type);
    llvm::cast<llvm::Function>(callee.getCallee())->addFnAttr(llvm::Attribute::NonLazyBind);
    return callee;
  }

  /// Calls a function of the library: it has no effect but its result.
  Value* call_pure(const std::string& name, const void* address, llvm::ArrayRef<Value*> arguments) {
    llvm::Type* type = arguments[0]->getType();
    const llvm::SmallVector<llvm::Type*> types(arguments.size(), type);
    llvm::CallInst* call =
        builder_.CreateCall(function(name, address, llvm::FunctionType::get(type, types, false)), arguments);
    call->setDoesNotAccessMemory();
    call->setDoesNotThrow();
    return call;
  }

  static const void* scalar_address(Operation operation) {
    if (const kernels::Unary f = kernels::unary_function(operation)) return reinterpret_cast<const void*>(f);
    return reinterpret_cast<const void*>(kernels::binary_function(operation));
  }

  Value* call(Operation operation, Value* a, Value* b) {
    const VectorMath* vectors = options_.vector_math;
    const void* address = vectors == nullptr ? nullptr : vectors->find(operation);
    const unsigned lanes = address == nullptr ? 1 : vectors->lanes();
    if (address == nullptr) address = scalar_address(operation);
    const std::string name = fmt::format("liaison_{}_{}", operation_name(operation), lanes);
    return in_parts(lanes, a, b, [&](llvm::ArrayRef<Value*> part) { return call_pure(name, address, part); });
  }

  /// Applies `f` to parts of `lanes` lanes and puts the results together again.
  template <class F>
  Value* in_parts(unsigned lanes, Value* a, Value* b, F f) {
    const auto part = [&](Value* x, unsigned first) -> Value* {
      if (lanes == options_.lanes) return x;
      if (lanes == 1) return builder_.CreateExtractElement(x, first);
      llvm::SmallVector<int> mask;
      for (unsigned k = 0; k < lanes; ++k) mask.push_back(static_cast<int>(first + k));
      return builder_.CreateShuffleVector(x, mask);
    };
    llvm::SmallVector<Value*> parts;
    for (unsigned first = 0; first < options_.lanes; first += lanes) {
      llvm::SmallVector<Value*> arguments{part(a, first)};
      if (b != nullptr) arguments.push_back(part(b, first));
      parts.push_back(f(arguments));
    }
    return together(parts, lanes);
  }

  Value* together(llvm::ArrayRef<Value*> parts, unsigned lanes) {
    if (parts.size() == 1) return parts[0];
    Value* result = llvm::PoisonValue::get(type_);
    for (unsigned k = 0; k < parts.size(); ++k)
      result = lanes == 1
                   ? builder_.CreateInsertElement(result, parts[k], k)
                   : builder_.CreateInsertVector(type_, result, parts[k], builder_.getInt64(k * lanes));
    return result;
  }

  void sine_and_cosine(const Instruction& instruction, Value* angle) {
    if (options_.vector_math != nullptr && options_.vector_math->find(Operation::sin) != nullptr) {
      slots_[instruction.destination] = call(Operation::sin, angle, nullptr);
      slots_[instruction.second] = call(Operation::cos, angle, nullptr);
      return;
    }
    llvm::SmallVector<Value*> cosines;
    slots_[instruction.destination] =
        in_parts(1, angle, nullptr, [&](llvm::ArrayRef<Value*> part) { return both(part[0], cosines); });
    slots_[instruction.second] = together(cosines, 1);
  }

  /// The sine; the cosine goes onto the list.
  Value* both(Value* angle, llvm::SmallVector<Value*>& cosines) {
    if (sine_ == nullptr) {
      llvm::IRBuilder<> entry(&function_->getEntryBlock(), function_->getEntryBlock().begin());
      sine_ = entry.CreateAlloca(scalar_);
      cosine_ = entry.CreateAlloca(scalar_);
    }
    llvm::Type* pointer = builder_.getPtrTy();
    llvm::FunctionType* type =
        llvm::FunctionType::get(builder_.getVoidTy(), {scalar_, pointer, pointer}, false);
    const void* address = reinterpret_cast<const void*>(&kernels::sincos);
    builder_.CreateCall(function("liaison_sincos", address, type), {angle, sine_, cosine_})
        ->setDoesNotThrow();
    cosines.push_back(builder_.CreateLoad(scalar_, cosine_));
    return builder_.CreateLoad(scalar_, sine_);
  }

  const Program& program_;
  const EmitOptions& options_;
  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
  llvm::Type* scalar_;
  llvm::Type* type_;
  llvm::Function* function_ = nullptr;
  std::vector<Value*> slots_;
  std::vector<Value*> inputs_;
  Value* sine_ = nullptr;
  Value* cosine_ = nullptr;
  CalledFunctions called_;
};

}  // namespace

CalledFunctions emit_program(llvm::Module& module, const std::string& name, const Program& program,
                             const std::vector<Chunk>& chunks, const EmitOptions& options) {
  llvm::LLVMContext& context = module.getContext();
  llvm::FunctionType* type = program_type(context);
  ChunkWriter writer(module, program, options);
  std::vector<llvm::Function*> parts;
  for (const Chunk& chunk : chunks)
    parts.push_back(writer.write(chunk, fmt::format("{}_{}", name, parts.size())));
  llvm::Function* whole = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", whole));
  llvm::SmallVector<Value*> arguments;
  for (llvm::Argument& argument : whole->args()) arguments.push_back(&argument);
  for (llvm::Function* part : parts) builder.CreateCall(part, arguments);
  builder.CreateRetVoid();
  return writer.called();
}

}  // namespace liaison
