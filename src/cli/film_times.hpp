#pragma once

#include <optional>
#include <string>
#include <vector>

namespace liaison::cli {

/// The times of a run whose pictures a film shows. They are equally far apart up to the last one, which is
/// the end of the run and may come sooner.
struct FilmTimes {
  std::vector<double> times;
  double rate = 0;              ///< pictures in a second
  std::optional<double> speed;  ///< time of the run in a second; none of a run without a length

  double seconds() const { return static_cast<double>(times.size()) / rate; }
};
/// Without a speed that of the motion itself, where the film then takes 3 to 12 seconds; else as much slower
/// or faster as it must be for that.
FilmTimes film_times(double begin, double end, double rate, std::optional<double> speed);

/// Throws Refused where a run of this length at this speed has no second picture, or more than `most`.
void require_pictures(double length, double rate, double speed, std::size_t most);

/// "91 pictures, 30 a second, 3.03 s, 15 times slower than the motion"
std::string in_words(const FilmTimes& film);
/// {"pictures": 91, "rate": 30, "seconds": 3.03333, "speed": 0.0666667}
std::string in_json(const FilmTimes& film);

}  // namespace liaison::cli
