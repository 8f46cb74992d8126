#include "film_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "problems.hpp"

namespace liaison::cli {

namespace {

/// Steps between pictures; a length that is a whole number of them but for rounding is one.
double steps_of(double length, double rate, double speed) {
  const double steps = length * rate / speed;
  return std::ceil(steps * (1 - 1e-9));
}

std::string ratio_in_words(double speed) {
  const auto times = [](double factor) { return fmt::format("{:.3g}", factor); };
  if (times(speed) == "1" || times(1 / speed) == "1") return "as fast as the motion";
  return speed < 1 ? times(1 / speed) + " times slower than the motion"
                   : times(speed) + " times faster than the motion";
}

}  // namespace

FilmTimes film_times(double begin, double end, double rate, std::optional<double> speed) {
  constexpr double least_seconds = 3, most_seconds = 12;
  const double length = end - begin;
  if (!(length > 0)) return {{begin}, rate, std::nullopt};
  if (!speed) speed = length / std::clamp(length, least_seconds, most_seconds);
  FilmTimes film{{}, rate, speed};
  const auto steps = static_cast<std::size_t>(steps_of(length, rate, *speed));
  for (std::size_t i = 0; i < steps; ++i)
    film.times.push_back(begin + static_cast<double>(i) * *speed / rate);
  film.times.push_back(end);
  return film;
}

void require_pictures(double length, double rate, double speed, std::size_t most) {
  if (length * rate / speed < 1 - 1e-9)
    refuse(Status::bad_input, "--speed", Problem::bad_usage,
           fmt::format("a film of {:.3g} s has no second picture: there are {:g} in a second", length / speed,
                       rate),
           fmt::format("--speed {:.2g} takes 3 s", length / 3));
  const double pictures = steps_of(length, rate, speed) + 1;
  if (pictures <= static_cast<double>(most)) return;
  refuse(Status::bad_input, "--speed", Problem::bad_usage,
         fmt::format("the film would have {:.6g} pictures, and at most {} are made", pictures, most),
         fmt::format("--speed {:.2g} takes 12 s; an earlier --until takes less", length / 12));
}

std::string in_words(const FilmTimes& film) {
  const std::size_t count = film.times.size();
  std::string words = fmt::format("{} picture{}, {:g} a second, {:.3g} s", count, count == 1 ? "" : "s",
                                  film.rate, film.seconds());
  if (film.speed) words += ", " + ratio_in_words(*film.speed);
  return words;
}

std::string in_json(const FilmTimes& film) {
  nlohmann::ordered_json out{
      {"pictures", film.times.size()}, {"rate", film.rate}, {"seconds", film.seconds()}};
  out["speed"] = film.speed ? nlohmann::ordered_json(*film.speed) : nlohmann::ordered_json(nullptr);
  return out.dump();
}

}  // namespace liaison::cli
