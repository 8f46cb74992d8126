#include "state_between.hpp"

namespace liaison {

StateBetween::StateBetween(Evaluator& evaluator, double begin, const std::vector<double>& first, double end,
                           const std::vector<double>& last, std::size_t smooth)
    : smooth_(smooth),
      begin_(begin),
      end_(end),
      first_(first),
      last_(last),
      first_rates_(first.size()),
      last_rates_(last.size()) {
  if (!evaluator.rates(begin, first.data(), first_rates_.data()) ||
      !evaluator.rates(end, last.data(), last_rates_.data()))
    smooth_ = 0;
}

std::vector<double> StateBetween::at(double t) const {
  if (t >= end_) return last_;
  const double length = end_ - begin_, s = (t - begin_) / length;
  std::vector<double> y = first_;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += s * (last_[i] - first_[i]);
  for (std::size_t i = 0; i < smooth_; ++i) {
    const double mean = last_[i] - first_[i];
    y[i] +=
        s * (1 - s) * ((1 - s) * (length * first_rates_[i] - mean) - s * (length * last_rates_[i] - mean));
  }
  return y;
}

}  // namespace liaison
