#pragma once

#include <algorithm>
#include <cstddef>

/// Libraries that few runs need are opened when their first function is called: to load all of them at every
/// start takes longer than to check a small model.
namespace liaison::late {

/// A file on the run path of the program, empty but for what it needs (cmake/late_library.cmake).
struct Module {
  const char* file;
  const char* purpose;       ///< "reads robot files"
  const char* without = "";  ///< what can be asked for that does not need it
};
/// Throws MissingLibrary. What is opened stays.
void* find_function(const Module& module, const char* function);

template <std::size_t size>
struct Name {
  char text[size];
  constexpr Name(const char (&given)[size]) { std::copy_n(given, size, text); }
};

template <class Type, const Module& module, Name name>
struct Function;

/// Called like the function that it stands for; throws MissingLibrary.
template <class Result, class... Given, const Module& module, Name name>
struct Function<Result(Given...), module, name> {
  Result operator()(Given... given) const {
    static const auto function = reinterpret_cast<Result (*)(Given...)>(find_function(module, name.text));
    return function(given...);
  }
};

}  // namespace liaison::late

/// Within a namespace of Liaison the name then means the late function, and calls are written as ever. Where
/// the program is linked with the library this changes nothing.
#ifdef LIAISON_LINKED_LIBRARIES
#define LIAISON_LATE(module, function) using ::function
#else
#define LIAISON_LATE(module, function) \
  inline constexpr ::liaison::late::Function<decltype(::function), module, #function> function {}
#endif
