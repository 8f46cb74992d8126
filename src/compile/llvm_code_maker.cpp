#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/ObjectCache.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SHA256.h>
#include <llvm/Support/TargetSelect.h>

#include <mutex>
#include <stdexcept>
#include <string_view>

#include "emit_ir.hpp"
#include "kept_code.hpp"

namespace liaison {
namespace {

namespace orc = llvm::orc;

[[noreturn]] void fail(llvm::Error error) {
  throw std::runtime_error("no machine code could be made: " + llvm::toString(std::move(error)));
}

template <class T>
T take(llvm::Expected<T> result) {
  if (!result) fail(result.takeError());
  return std::move(*result);
}

void initialise_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

/// Machine code by what it is made from: the module before it is optimised, the processor with all that it
/// can, how thoroughly, and who makes it.
class KeptObjects : public llvm::ObjectCache {
 public:
  KeptObjects(const char* folder, orc::JITTargetMachineBuilder machine, bool thorough)
      : kept_(folder), machine_(std::move(machine)), thorough_(thorough) {}

  std::unique_ptr<llvm::MemoryBuffer> getObject(const llvm::Module* module) override {
    const std::string key = key_of(*module);
    const std::optional<std::string> code = kept_.find(key);
    if (code) return llvm::MemoryBuffer::getMemBufferCopy(*code, key);
    wanted_ = key;  // the module is changed by the time its code is there
    return nullptr;
  }
  void notifyObjectCompiled(const llvm::Module*, llvm::MemoryBufferRef code) override {
    const llvm::StringRef bytes = code.getBuffer();
    kept_.keep(wanted_, {bytes.data(), bytes.size()});
  }

 private:
  std::string key_of(const llvm::Module& module) const {
    llvm::SmallString<0> text;
    llvm::raw_svector_ostream stream(text);
    stream << LLVM_VERSION_STRING << '\n'
           << machine_.getTargetTriple().str() << '\n'
           << machine_.getCPU() << '\n'
           << machine_.getFeatures().getString() << '\n'
           << thorough_ << '\n';
    llvm::WriteBitcodeToFile(module, stream);
    llvm::SHA256 sum;
    sum.update(text);
    return llvm::toHex(sum.final(), true);
  }

  KeptCode kept_;
  orc::JITTargetMachineBuilder machine_;
  bool thorough_;
  std::string wanted_;
};

class LlvmCodeMaker : public CodeMaker {
 public:
  LlvmCodeMaker(bool thorough, const char* cache) {
    initialise_llvm();
    auto machine = take(orc::JITTargetMachineBuilder::detectHost());
    machine.setCodeGenOptLevel(thorough ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None);
    orc::LLJITBuilder builder;
    if (*cache != '\0') {
      objects_ = std::make_unique<KeptObjects>(cache, machine, thorough);
      builder.setCompileFunctionCreator(
          [objects = objects_.get()](orc::JITTargetMachineBuilder made_for)
              -> llvm::Expected<std::unique_ptr<orc::IRCompileLayer::IRCompiler>> {
            auto target = made_for.createTargetMachine();
            if (!target) return target.takeError();
            return std::make_unique<orc::TMOwningSimpleCompiler>(std::move(*target), objects);
          });
    }
    jit_ = take(builder.setJITTargetMachineBuilder(std::move(machine)).create());
  }

  Kernel make(const std::string& name, const Program& program, const std::vector<Chunk>& chunks,
              const EmitOptions& options) override {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>(name, *context);
    module->setDataLayout(jit_->getDataLayout());
    module->setTargetTriple(jit_->getTargetTriple().str());
    define(emit_program(*module, name, program, chunks, options));
    if (llvm::Error error = jit_->addIRModule(orc::ThreadSafeModule(std::move(module), std::move(context))))
      fail(std::move(error));
    return take(jit_->lookup(name)).toPtr<Kernel>();
  }

 private:
  void define(const CalledFunctions& functions) {
    orc::SymbolMap symbols;
    for (const auto& [name, address] : functions) {
      if (defined_.emplace(name, address).second)
        symbols[jit_->mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(address),
                                                llvm::JITSymbolFlags::Exported};
    }
    if (symbols.empty()) return;
    if (llvm::Error error = jit_->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))))
      fail(std::move(error));
  }

  std::unique_ptr<KeptObjects> objects_;  ///< outlives what compiles
  std::unique_ptr<orc::LLJIT> jit_;
  CalledFunctions defined_;
};

}  // namespace
}  // namespace liaison

extern "C" __attribute__((visibility("default"))) liaison::CodeMaker* liaison_code_maker(const char* version,
                                                                                         bool thorough,
                                                                                         const char* cache) {
  // programs cross by their layout
  return version == liaison::code_maker_version() ? new liaison::LlvmCodeMaker(thorough, cache) : nullptr;
}
