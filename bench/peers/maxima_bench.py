"""The work of the benchmark cases done by Maxima, driven through its standard input.

Maxima reads the text before the clock starts; the time is its own elapsed_run_time, over as many repetitions as fill half a
second, since its clock is coarse. The work is done by trigexpand, generators for sines and cosines, ratsimp with
sin^2 = 1 - cos^2 told to it (tellrat), newdet and linsolve.
"""

import re
import subprocess

import casefile

PRELUDE = """
display2d: false$ ratfac: false$ algebraic: true$ linsolvewarn: false$ ratprint: false$
bench_expand_argument(w) := if not atom(w) and member(op(w), [sin, cos, tan]) then map(expand, w) else w$
bench_angles(e, names) := block([trigexpand: true],
  if bench_half then e: scanmap(bench_expand_argument, subst(map(lambda([v], v = 2*v), names), e)),
  e: trigexpand(e),
  for v in names do e: subst([sin(v) = concat('s_, v), cos(v) = concat('c_, v), tan(v) = concat('s_, v)/concat('c_, v)], e),
  e)$
bench_tell(names) := for v in names do apply('tellrat, [concat('s_, v)^2 = 1 - concat('c_, v)^2])$
bench_time(work) := block([began: elapsed_run_time(), count: 0, spent: 0, value],
  while spent < 0.5 do (value: work(), count: count + 1, spent: elapsed_run_time() - began),
  bench_value: value, spent/count)$
"""


class Maxima:
    def __init__(self):
        self.process = subprocess.Popen(
            ["maxima", "--very-quiet"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.ask(PRELUDE, "1")

    def ask(self, commands, value):
        """Runs the commands, answers the text of the value."""
        self.process.stdin.write(f'{commands}\nprint("@@", {value}, "@@")$\nprint("@end@")$\n')
        self.process.stdin.flush()
        text = ""
        while "@end@" not in text:
            line = self.process.stdout.readline()
            if not line:
                raise casefile.Failed("Maxima ended: " + text[-150:])
            text += line
        found = re.search(r"@@(.*?)@@", text, re.DOTALL)
        if not found:
            raise casefile.Failed("Maxima says: " + " ".join(text.split())[:150])
        return found.group(1).strip()


def texts(key, case):
    return "[" + ", ".join(case.all(key)) + "]"


def listed(case, key):
    return "[" + ", ".join(case.words(key)) + "]"


CHAIN = """
rate(p) := apply("+", map(lambda([a, b], diff(p, a)*b), q, v))$
work() := block([energy, state, first],
  energy: apply("+", map(lambda([a, b, m, j, w], m/2*(rate(a)^2 + rate(b)^2) + j/2*w^2), xs, ys, ms, js, v)),
  state: append(q, v),
  first: map(lambda([s], diff(energy, s)), state),
  [first, makelist(makelist(diff(first[a], state[b]), b, a, length(state)), a, 1, length(state))])$
sampled(i, j) := is(mod(7*i + 13*j, 101) = 0 or i = j)$
total(r) := block([n: length(r[1]), sum: 0],
  for e in r[1] do sum: sum + abs(float(subst(at_point, e))),
  for a: 1 thru n do for b: a thru n do
    if sampled(a - 1, b - 1) then sum: sum + abs(float(subst(at_point, r[2][a][b - a + 1]))),
  sum)$
"""

LINEAR = """
det_work() := block([m: matrixmap(lambda([e], rat(bench_angles(e, angles))), m0)], ratsimp(newdet(m)))$
solve_work() := block([n: length(b0), m: matrixmap(lambda([e], bench_angles(e, angles)), m0), b, xs],
  b: map(lambda([e], bench_angles(e, angles)), b0),
  xs: makelist(concat('x_, i), i, 1, n),
  map(lambda([e], ratsimp(rhs(e))),
    linsolve(makelist(apply("+", map("*", m[i], xs)) - b[i], i, 1, n), xs)))$
back(e) := block([], for v in angles do e: subst([concat('s_, v) = sin(v), concat('c_, v) = cos(v)], e), float(subst(at_point, e)))$
"""


STRUCTURE = """
form_d(c) := block([n: length(xs)], create_list([[i, j], diff(c[j], xs[i]) - diff(c[i], xs[j])], i, 1, n, j, i + 1, n))$
form_wedge(a, b) := block([keys: []], kill(bench_sum),
  for s in a do for r in b do block([k: append(s[1], r[1]), sign: 1, sorted],
    if length(unique(k)) = length(k) and s[2] # 0 and r[2] # 0 then (
      for i: 1 thru length(k) do for j: i + 1 thru length(k) do if k[i] > k[j] then sign: -sign,
      sorted: sort(k), if not member(sorted, keys) then (keys: cons(sorted, keys), bench_sum[sorted]: 0),
      bench_sum[sorted]: bench_sum[sorted] + sign*s[2]*r[2])),
  map(lambda([k], [k, bench_sum[k]]), keys))$
form_one(c) := create_list([[i], c[i]], i, 1, length(xs))$
is_nothing(e) := is(ratsimp(bench_angles(e, angles)) = 0)$
frobenius_work() := block([product: form_one(forms[1]), count: 0],
  for k: 2 thru length(forms) do product: form_wedge(product, form_one(forms[k])),
  for c in forms do if not every(lambda([s], is_nothing(s[2])), form_wedge(form_d(c), product)) then count: count + 1,
  count)$
lie_work() := is_nothing(apply("+", map(lambda([x, r], diff(f0, x)*r), xs, rates)))$
null_work() := nullspace(matrixmap(lambda([e], ratsimp(bench_angles(e, angles))), m0))$
"""


def structure(case, task, setup):
    setup += STRUCTURE
    if task == "null":
        n = int(case.one("rows"))
        columns = len(case.all("entry")) // n
        rows = ", ".join("[" + ", ".join(case.all("entry")[i * columns : (i + 1) * columns]) + "]" for i in range(n))
        return setup + f"m0: matrix({rows})$", "null_work", "length(bench_value)"
    setup += f"xs: {listed(case, 'coordinates')}$"
    if task == "lie":
        setup += f"f0: {case.one('function')}$ rates: {texts('rate', case)}$"
        return setup, "lie_work", "if bench_value then 0 else no"
    forms = ", ".join("[" + line.replace(";", ",") + "]" for line in case.all("form"))
    return setup + f"forms: [{forms}]$", "frobenius_work", "bench_value"


def commands(case):
    """Definitions, the function to time, and the expression of the checksum."""
    task = case.one("task")
    point = "at_point: [" + ", ".join(f"{n} = {v}" for n, v in case.point().items()) + "]$"
    if task == "chain":
        setup = f"xs: {texts('x', case)}$ ys: {texts('y', case)}$ q: {listed(case, 'angles')}$ v: {listed(case, 'rates')}$"
        setup += f" ms: {listed(case, 'masses')}$ js: {listed(case, 'inertias')}$"
        return point + setup + CHAIN, "work", "total(bench_value)"
    lines = [line for key in ("left", "right", "entry", "rhs", "form", "function", "rate") for line in case.all(key)]
    arguments = re.findall(r"(?:sin|cos|tan)\(([^()]*(?:\([^()]*\)[^()]*)*)\)", " ".join(lines))
    angles = sorted({name for argument in arguments for name in re.findall(r"[A-Za-z]\w*", argument)})
    half = "true" if any("/2)" in line for line in lines) else "false"
    setup = point + f"bench_half: {half}$ angles: [{', '.join(angles)}]$ bench_tell(angles)$"
    if task == "zero":
        setup += f"e0: ({case.one('left')}) - ({case.one('right')})$"
        return setup + "work() := ratsimp(bench_angles(e0, angles))$", "work", "if is(bench_value = 0) then 0 else no"
    if task in ("frobenius", "lie", "null"):
        return structure(case, task, setup)
    n = case.dimension()
    rows = ", ".join("[" + ", ".join(case.all("entry")[i * n : (i + 1) * n]) + "]" for i in range(n))
    setup += f"m0: matrix({rows})$ b0: {texts('rhs', case)}$" + LINEAR
    if task == "determinant":
        return setup, "det_work", "back(bench_value)"
    return setup, "solve_work", 'apply("+", map(lambda([e], abs(back(e))), bench_value))'


def perform(_, case):
    maxima = Maxima()
    try:
        setup, work, checksum = commands(case)
        seconds = float(maxima.ask(setup.replace("$", "$\n"), f"float(bench_time({work}))"))
        answer = maxima.ask("", checksum)
    finally:
        maxima.process.kill()
        maxima.process.wait()
    if answer == "no":
        raise casefile.Failed("does not find 0")
    return seconds, lambda: float(answer)


if __name__ == "__main__":
    casefile.serve(perform, repeat=False)
