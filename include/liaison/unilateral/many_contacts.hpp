#ifndef LIAISON_UNILATERAL_MANY_CONTACTS_HPP
#define LIAISON_UNILATERAL_MANY_CONTACTS_HPP

#include <cstddef>
#include <vector>

/// Impulses of many contacts in one step of time: Moreau's law, by iteration over sparse rows.
namespace liaison {

/// Rows of numbers without their zeros.
struct SparseRows {
  std::vector<std::size_t> begins = {0};  ///< of each row, and the end of the last
  std::vector<std::size_t> columns;
  std::vector<double> values;

  std::size_t size() const { return begins.size() - 1; }
  void add(std::size_t column, double value);  ///< to the row that is open; zeros are left out
  void end_row() { begins.push_back(columns.size()); }
  double times(std::size_t row, const std::vector<double>& u) const;
};
/// Rows times a matrix given by its rows: responses from the rows of contacts and the inverse mass, which
/// may be in blocks.
SparseRows product(const SparseRows& rows, const SparseRows& matrix);

/// Velocities u of a system, rows v = bias + rows u of its contacts, an impulse for each row:
///   u+ = free + sum_h p_h responses_h,   responses_h = M^-1 d_h, constraints that cannot open eliminated.
/// With v- = `before`, for each contact
///   0 <= p_n,   v_n+ + e v_n- >= 0,   one of them zero,
/// and each resistance has p_t with |p_t| <= sticking p_n where v_t+ = 0, else
/// p_t = -slipping p_n v_t+/|v_t+|.
struct ManyContacts {
  struct Resistance {
    std::size_t row = 0, components = 1;  ///< one row, or two that follow each other
    double slipping = 0, sticking = 0;    ///< coefficients; of rolling and pivoting: lengths
  };
  struct Contact {
    std::size_t normal = 0;
    std::vector<Resistance> resisted = {};
    double restitution = 0, before = 0;
  };
  SparseRows rows, responses;
  std::vector<double> bias;  ///< empty: zeros
  std::vector<double> free;
  std::vector<Contact> contacts;
};

/// What one contact does in a solution.
enum class ContactStep {
  open,
  sticks,  ///< with all that it resists; also where it resists nothing
  slips,
};

struct ManyImpulses {
  std::vector<double> impulses;    ///< one a row
  std::vector<double> velocities;  ///< u+
  std::vector<ContactStep> steps;  ///< one a contact
  /// The largest violation of a sign, of a product, of a limit of friction or of its direction: impulses over
  /// the largest normal one, velocities over the largest of all rows.
  double residual = 0;
  bool converged = false;  ///< the residual is within the tolerance
  std::size_t sweeps = 0;
  /// Contacts that, with the impulses of all others as they are, allow several impulses: large friction may
  /// keep, open or jam them. The one that goes on as before was taken, else the nearest. Sticking or slipping
  /// by coefficients that differ does not count.
  std::size_t ambiguous = 0;
};

struct ManyContactsOptions {
  double tolerance = 1e-10;
  std::size_t most_sweeps = 20'000;
  /// After these sweeps a residual within `enough` is taken, though it is not `converged`.
  std::size_t patience = 20'000;
  double enough = 0;
};

/// One solution, by Gauss and Seidel's iteration: contact after contact is solved exactly for its own
/// impulses, and sweeps are accelerated by conjugate directions of their changes. `start`: a solution of a
/// problem with the same rows, as of the last step; its impulses and steps may be empty. Memory is that of
/// the rows. Without friction and with symmetric positive responses there is one set of velocities and it is
/// found; with friction what is found may be one of several, and where nothing is, `converged` is false.
ManyImpulses solve(const ManyContacts& problem, const ManyImpulses& start = {},
                   const ManyContactsOptions& options = {});

}  // namespace liaison

#endif  // LIAISON_UNILATERAL_MANY_CONTACTS_HPP
