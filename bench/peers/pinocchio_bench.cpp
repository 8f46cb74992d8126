#include <cmath>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/multibody.hpp>
#include <string>

#include "timing.hpp"
#include "worker.hpp"

/// Pinocchio on the open chains: revolute joints about z in relative angles, by the articulated-body
/// algorithm. Accelerations only: the forces in the joints would cost a further pass. Angles of a case are
/// absolute, so that sums of joint accelerations are compared.
namespace {

using bench::Case;
using Vector = Eigen::VectorXd;

struct Chain {
  pinocchio::Model model;
  Vector q, v;
};

/// Link i is a mass at `centre` along its own -y or x axis, with a moment about that centre; the next joint
/// is at `length`.
struct Link {
  double mass, moment, centre, length;
};

Chain chain_of(const std::vector<Link>& links, const Eigen::Vector3d& along,
               const std::vector<double>& angles, const std::vector<double>& rates, double g) {
  using namespace pinocchio;
  Chain chain;
  chain.model.gravity.linear() = Eigen::Vector3d(0, -g, 0);
  JointIndex parent = 0;
  SE3 placement = SE3::Identity();
  for (const Link& link : links) {
    parent = chain.model.addJoint(parent, JointModelRZ(), placement, "j" + std::to_string(parent));
    Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
    moments(2, 2) = link.moment;
    chain.model.appendBodyToJoint(parent, Inertia(link.mass, link.centre * along, moments), SE3::Identity());
    placement = SE3(Eigen::Matrix3d::Identity(), link.length * along);
  }
  const auto n = static_cast<Eigen::Index>(links.size());
  chain.q.resize(n);
  chain.v.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    chain.q[i] = angles[k] - (k > 0 ? angles[k - 1] : 0);
    chain.v[i] = rates[k] - (k > 0 ? rates[k - 1] : 0);
  }
  return chain;
}

bench::Outcome evaluate(const Case& input) {
  const auto point = input.point();
  const std::string family = input.one("family");
  const std::size_t n = std::stoul(input.one("size"));
  const bool rods = family == "evaluate-rods";
  const std::string letter = rods ? "phi" : "q";
  std::vector<Link> links;
  std::vector<double> angles, rates;
  for (std::size_t i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i);
    angles.push_back(point.at(letter + k));
    rates.push_back(point.at(letter + k + "'"));
    if (rods) {
      const double m = point.at("m"), l = point.at("l");
      links.push_back({m, m * l * l / 12, l / 2, l});
    } else {
      links.push_back({point.at("m" + k), 0, point.at("l" + k), point.at("l" + k)});
    }
  }
  const Eigen::Vector3d along = rods ? Eigen::Vector3d(1, 0, 0) : Eigen::Vector3d(0, -1, 0);
  const Chain chain = chain_of(links, along, angles, rates, point.at("g"));
  pinocchio::Data data(chain.model);
  const Vector torque = Vector::Zero(static_cast<Eigen::Index>(n));
  bench::Outcome outcome;
  outcome.seconds =
      bench::seconds_per_call([&] { pinocchio::aba(chain.model, data, chain.q, chain.v, torque); });
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += data.ddq[static_cast<Eigen::Index>(i)];
    outcome.values[letter + std::to_string(i + 1)] = sum;
  }
  return outcome;
}

}  // namespace

int main() {
  return bench::serve([](const std::string&, const Case& input) { return evaluate(input); });
}
