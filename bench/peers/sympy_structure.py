"""The group "structure" by SymPy: what a person types, with simplify, and the fastest way known to us, with fields of fractions."""

import itertools

import casefile
import sympy
from sympy.polys.matrices import DomainMatrix


def is_zero_plain(expressions, _):
    return [sympy.simplify(e) == 0 for e in expressions]


def is_zero_field(expressions, make_angles):
    """Numerators over sines and cosines as generators, modulo sin^2 + cos^2 - 1."""
    angles = make_angles(expressions)
    rational = [angles.polynomial(e) for e in expressions]
    ring = sympy.ZZ[tuple(angles.generators(rational))] if any(e.free_symbols for e in rational) else None
    if ring is None:
        return [e == 0 for e in rational]
    relations = angles.relations(ring.ring)
    return [ring.from_sympy(e).rem(relations) == 0 for e in rational]


def torsions(forms, coordinates, peer):
    """d theta^i ^ theta^1 ^ ... ^ theta^k."""
    product = {(): sympy.S.One}
    for form in forms:
        product = peer.wedge(product, form)
    return [peer.wedge(peer.exterior_derivative(form, coordinates), product) for form in forms]


def frobenius(method, case, peer):
    texts = peer.Texts(case)
    coordinates = [texts.names[name] for name in case.words("coordinates")]
    codes = [[peer.compiled(text) for text in line.split(";")] for line in case.all("form")]
    began = peer.start()
    forms = []
    for line in codes:
        made = [texts.make(code) for code in line]
        forms.append({(i,): e for i, e in enumerate(made) if e != 0})
    found = torsions(forms, coordinates, peer)
    decide = is_zero_plain if method == "plain" else is_zero_field
    answers = decide([e for torsion in found for e in torsion.values()], peer.Angles)
    count, rest = 0, iter(answers)
    for torsion in found:
        count += not all(list(itertools.islice(rest, len(torsion))))
    return peer.clock() - began, lambda: float(count)


def lie(method, case, peer):
    texts = peer.Texts(case)
    coordinates = [texts.names[name] for name in case.words("coordinates")]
    function, rates = peer.compiled(case.one("function")), [peer.compiled(t) for t in case.all("rate")]
    began = peer.start()
    f = texts.make(function)
    derivative = sympy.Add(*[f.diff(x) * texts.make(r) for x, r in zip(coordinates, rates)])
    decide = is_zero_plain if method == "plain" else is_zero_field
    if not decide([derivative], peer.Angles)[0]:
        raise casefile.Failed("does not find 0")
    return peer.clock() - began, lambda: 0.0


def null(method, case, peer):
    texts, rows = peer.Texts(case), int(case.one("rows"))
    codes = [peer.compiled(t) for t in case.all("entry")]
    began = peer.start()
    entries = [texts.make(code) for code in codes]
    if method == "plain":
        basis = sympy.Matrix(rows, len(entries) // rows, entries).nullspace(simplify=True)
        return peer.clock() - began, lambda: float(len(basis))
    angles = peer.Angles(entries)
    rational = [angles.polynomial(e) for e in entries]
    generators = [x for x in angles.generators(rational) if x not in angles.cosine.values()]
    field = sympy.QQ.frac_field(*generators)
    # sines and cosines by the tangent t of half the angle: a field of fractions has no sin^2 + cos^2 = 1
    halved = {}
    for x in angles.atoms:
        t = angles.sine[x]
        halved |= {angles.sine[x]: 2 * t / (1 + t**2), angles.cosine[x]: (1 - t**2) / (1 + t**2)}
    columns = len(entries) // rows
    made = [[field.from_sympy(e.subs(halved, simultaneous=True)) for e in rational[i * columns : (i + 1) * columns]] for i in range(rows)]
    basis = DomainMatrix(made, (rows, columns), field).nullspace()
    return peer.clock() - began, lambda: float(basis.shape[0])


WORK = {"frobenius": frobenius, "lie": lie, "null": null}
