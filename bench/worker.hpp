#pragma once

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// What the C++ benchmark programs share: case files in, one JSON line a request out.
namespace bench {

using Indices = std::vector<std::size_t>;

struct FormTerm {
  Indices indices;
  std::string coefficient;
};

/// A case file, see bench/cases.py.
struct Case {
  std::map<std::string, std::vector<std::string>> lines;

  const std::string& one(const std::string& key) const { return lines.at(key).at(0); }
  std::vector<std::string> all(const std::string& key) const {
    const auto found = lines.find(key);
    return found == lines.end() ? std::vector<std::string>() : found->second;
  }
  std::vector<std::string> words(const std::string& key) const {
    std::istringstream in(one(key));
    std::vector<std::string> result;
    for (std::string word; in >> word;) result.push_back(word);
    return result;
  }
  std::map<std::string, double> point() const {
    std::map<std::string, double> result;
    for (const std::string& word : words("point")) {
      const auto equals = word.find('=');
      result[word.substr(0, equals)] = std::stod(word.substr(equals + 1));
    }
    return result;
  }
  std::vector<FormTerm> form(const std::string& key) const {
    std::vector<FormTerm> result;
    for (const std::string& line : all(key)) {
      const auto colon = line.find(':');
      FormTerm term{{}, line.substr(colon + 1)};
      std::istringstream in(line.substr(0, colon));
      for (std::string index; std::getline(in, index, ',');) term.indices.push_back(std::stoul(index));
      result.push_back(std::move(term));
    }
    return result;
  }
};

inline Case read_case(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  Case result;
  for (std::string line; std::getline(in, line);) {
    const auto space = line.find(' ');
    result.lines[line.substr(0, space)].push_back(line.substr(space + 1));
  }
  return result;
}

/// How much a basis product counts in the checksum of a form.
inline double form_weight(const Indices& indices) {
  double sum = 1;
  for (std::size_t i : indices) sum += static_cast<double>((i + 1) * (i + 1));
  return 1 / sum;
}

/// Which second derivatives the checksum looks at: a fixed sample, the same in every program.
inline bool is_sampled(std::size_t i, std::size_t j) {
  return (7 * i + 13 * j) % 101 == 0 || i == j;
}

struct Outcome {
  double seconds = 0;
  double checksum = 0;
  std::size_t nodes = 0;       ///< of the pool after the work, where there is one: the same in every run
  std::size_t operations = 0;  ///< distinct operations in the results, where they are counted
  bool closed_form = false;
  std::map<std::string, double> values;   ///< results by name, compared to more digits than the checksum
  std::map<std::string, double> figures;  ///< what else there is to tell: counts, further times
  std::string words;                      ///< how it was done
  std::string note;                       ///< empty: the work was done
};

/// Time of this process on its core: other programs on the machine do not count.
class Stopwatch {
 public:
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  double start_ = now();
};

/// Short work is done three times, the median counts.
template <class Work>
Outcome measure(Work work) {
  Outcome first = work();
  if (!first.note.empty() || first.seconds > 0.2) return first;
  double times[] = {first.seconds, work().seconds, work().seconds};
  std::sort(std::begin(times), std::end(times));
  first.seconds = times[1];
  return first;
}

inline std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + "\"";
}

inline std::string json_object(const std::map<std::string, double>& values) {
  std::ostringstream out;
  out.precision(17);
  for (const auto& [name, value] : values)
    out << (out.tellp() > 0 ? ", " : "") << json_text(name) << ": " << value;
  return "{" + out.str() + "}";
}

/// Reads requests `METHOD PATH` until the end of input; answers each by one line.
template <class Perform>
int serve(Perform perform) {
  for (std::string line; std::getline(std::cin, line);) {
    const auto space = line.find(' ');
    Outcome outcome;
    try {
      const Case input = read_case(line.substr(space + 1));
      outcome = measure([&] { return perform(line.substr(0, space), input); });
    } catch (const std::exception& error) {
      outcome.note = error.what();
    }
    std::printf("{\"seconds\": %.9g, \"checksum\": %.15g, \"nodes\": %zu, \"note\": %s", outcome.seconds,
                outcome.checksum, outcome.nodes, json_text(outcome.note).c_str());
    if (outcome.operations) {
      std::printf(", \"operations\": %zu, \"closed_form\": %s", outcome.operations,
                  outcome.closed_form ? "true" : "false");
    }
    if (!outcome.values.empty()) std::printf(", \"values\": %s", json_object(outcome.values).c_str());
    if (!outcome.words.empty()) std::printf(", \"words\": %s", json_text(outcome.words).c_str());
    if (!outcome.figures.empty()) std::printf(", \"figures\": %s", json_object(outcome.figures).c_str());
    std::printf("}\n");
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace bench
