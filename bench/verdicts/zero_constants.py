"""Questions without symbols: roots of numbers, also above 64 bits, values at parts of pi, logarithms; each with a twin that is off."""

from question import Question

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)
HUGE_PRIMES = (18446744073709551629, 18446744073709551653, 340282366920938463463374607431768211507, 170141183460469231731687303715884105727)


def denesting(rng):
    p, q = rng.sample(PRIMES, 2)
    return f"sqrt({p + q} + 2*sqrt({p*q}))", f"sqrt({p}) + sqrt({q})"


def cubic_denesting(rng):
    a, b, d = rng.randint(1, 9), rng.randint(1, 9), rng.choice(PRIMES[:6])
    return f"({a**3 + 3*a*b*b*d} + {3*a*a*b + b**3*d}*sqrt({d}))^(1/3)", f"{a} + {b}*sqrt({d})"


def cosines(rng):
    n = rng.choice((5, 7, 9, 11, 13, 15))
    return " + ".join(f"cos({2*k}*pi/{n})" for k in range(1, (n + 1)//2)), "-1/2"


def sines(rng):
    n = rng.choice((3, 4, 5, 6, 7, 8))
    return "*".join(f"sin({k}*pi/{n})" for k in range(1, n)), f"{n}/{2**(n - 1)}"


def machin(rng):
    p, q = rng.randint(1, 30), rng.randint(2, 30)
    return f"atan({p}/{q}) + atan({abs(q - p)}/{q + p})", "pi/4" if p < q else f"2*atan({p}/{q}) - pi/4"


def logarithms(rng):
    p, q = rng.choice(PRIMES), rng.choice(PRIMES)
    j, k = rng.randint(1, 9), rng.randint(1, 9)
    return f"log({p**j*q**k})", f"{j}*log({p}) + {k}*log({q})"


def exponentials(rng):
    p, k = rng.choice(PRIMES), rng.randint(2, 7)
    return f"exp(log({p})/{k})", f"{p}^(1/{k})"


def special_angles(rng):
    return rng.choice((("cos(pi/5)", "(1 + sqrt(5))/4"), ("sin(pi/12)", "(sqrt(6) - sqrt(2))/4"), ("tan(pi/8)", "sqrt(2) - 1"),
                       ("cos(pi/7) - cos(2*pi/7) + cos(3*pi/7)", "1/2"), ("sin(pi/10)", "(sqrt(5) - 1)/4"),
                       ("tan(pi/12)", "2 - sqrt(3)"), ("cos(pi/24)", "sqrt(2 + sqrt(2 + sqrt(3)))/2"),
                       ("tan(3*pi/11) + 4*sin(2*pi/11)", "sqrt(11)"), ("cos(pi/16)", "sqrt(2 + sqrt(2 + sqrt(2)))/2")))


def huge(rng):
    p, q = rng.choice(HUGE_PRIMES), rng.choice(HUGE_PRIMES)
    k = rng.randint(2, 999983)
    return rng.choice((
        (f"sqrt({p*p*k})", f"{p}*sqrt({k})"),
        (f"sqrt({p*q})", f"sqrt({p})*sqrt({q})"),
        (f"sqrt({p*q})*sqrt({q})", f"{q}*sqrt({p})"),
        (f"({p**3})^(1/3)", f"{p}"),
        (f"sqrt({p*q})/sqrt({p*k})", f"sqrt({q})/sqrt({k})"),
        (f"log({p*q})", f"log({p}) + log({q})"),
        (f"({p**2*k})^(1/4)", f"sqrt({p})*{k}^(1/4)"),
        (f"{p}^(1/2)*{p*k}^(1/2)*x", f"{p}*sqrt({k})*x"),
    ))


SHAPES = (denesting, cubic_denesting, cosines, sines, machin, logarithms, exponentials, special_angles)


def constant(rng):
    return Question("true constants", *rng.choice(SHAPES)(rng), True), ()


def near_constant(rng):
    left, right = rng.choice(SHAPES)(rng)
    return Question("near constants", left, f"{right} + 1e-{rng.choice((7, 12, 18, 25, 32, 40))}", False), ()


def huge_number(rng):
    return Question("true huge numbers", *huge(rng), True), ()


def near_huge(rng):
    """One more or less in a number of twenty digits and more."""
    left, right = huge(rng)
    p = next((prime for prime in HUGE_PRIMES if str(prime) in right), None)
    right = right.replace(str(p), str(p + rng.choice((-1, 1, 2)))) if p else f"{right}*(1 + 1e-25)"
    return Question("near huge numbers", left, right, False), ()


GENERATORS = {"true constants": constant, "near constants": near_constant, "true huge numbers": huge_number,
              "near huge numbers": near_huge}
