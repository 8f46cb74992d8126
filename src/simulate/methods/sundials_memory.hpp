#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include "sundials_functions.hpp"

/// Owners of what SUNDIALS allocates. Everything lives in a context, which is declared before and so goes
/// last.
namespace liaison::sundials {

template <class Handle, auto Free>
struct Freed {
  void operator()(Handle handle) const { static_cast<void>(Free(handle)); }
};
template <class Handle, auto Free>
using Owner = std::unique_ptr<std::remove_pointer_t<Handle>, Freed<Handle, Free>>;

inline int free_context(SUNContext context) {
  return SUNContext_Free(&context);
}
using Context = Owner<SUNContext, free_context>;
using Matrix = Owner<SUNMatrix, SUNMatDestroy>;
using LinearSolver = Owner<SUNLinearSolver, SUNLinSolFree>;
using NonlinearSolver = Owner<SUNNonlinearSolver, SUNNonlinSolFree>;

/// The memory of CVODE, IDA or ARKODE, which free it through a pointer to the pointer.
template <auto Free>
struct FreedSolver {
  void operator()(void* memory) const { Free(&memory); }
};
template <auto Free>
using Solver = std::unique_ptr<void, FreedSolver<Free>>;

/// What could not be allocated is reported by a null pointer.
template <class Owned>
Owned owned(typename Owned::pointer handle) {
  if (handle == nullptr) throw std::bad_alloc();
  return Owned(handle);
}

inline Context make_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw std::bad_alloc();
  return Context(context);
}

class Vector {
 public:
  Vector(std::size_t size, const Context& context)
      : handle_(owned<Owner<N_Vector, N_VDestroy>>(
            N_VNew_Serial(static_cast<sunindextype>(size), context.get()))),
        size_(size) {
    std::fill_n(data(), size, 0.0);
  }
  N_Vector get() const { return handle_.get(); }
  double* data() { return N_VGetArrayPointer(handle_.get()); }
  std::span<const double> values() const { return {N_VGetArrayPointer(handle_.get()), size_}; }

 private:
  Owner<N_Vector, N_VDestroy> handle_;
  std::size_t size_;
};

inline Matrix make_matrix(std::size_t size, const Context& context) {
  const auto n = static_cast<sunindextype>(size);
  return owned<Matrix>(SUNDenseMatrix(n, n, context.get()));
}

}  // namespace liaison::sundials
