#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>

#include <mutex>
#include <stdexcept>
#include <string_view>

#include "emit_ir.hpp"

namespace liaison {
namespace {

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

std::unique_ptr<llvm::orc::LLJIT> make_jit(bool thorough) {
  initialise_llvm();
  auto machine = take(llvm::orc::JITTargetMachineBuilder::detectHost());
  machine.setCodeGenOptLevel(thorough ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None);
  return take(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(machine)).create());
}

class LlvmCodeMaker : public CodeMaker {
 public:
  explicit LlvmCodeMaker(bool thorough) : jit_(make_jit(thorough)) {}

  Kernel make(const std::string& name, const Program& program, const std::vector<Chunk>& chunks,
              const EmitOptions& options) override {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>(name, *context);
    module->setDataLayout(jit_->getDataLayout());
    module->setTargetTriple(jit_->getTargetTriple().str());
    emit_program(*module, name, program, chunks, options);
    if (llvm::Error error =
            jit_->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))))
      fail(std::move(error));
    return take(jit_->lookup(name)).toPtr<Kernel>();
  }

 private:
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

}  // namespace
}  // namespace liaison

extern "C" __attribute__((visibility("default"))) liaison::CodeMaker* liaison_code_maker(const char* version,
                                                                                         bool thorough) {
  // programs cross by their layout
  return version == liaison::code_maker_version() ? new liaison::LlvmCodeMaker(thorough) : nullptr;
}
