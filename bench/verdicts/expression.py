"""Expressions as they are written and printed, read into tuples: ("num", Fraction), ("sym", name), ("call", name, args), ...

Both spellings are read: the one of the language (`x^2/2 - sqrt(y)`) and the one of reports (`½ x² − √y`), where a space is a product.
"""

import re
from fractions import Fraction

SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5",
          "⅙": "1/6", "⅚": "5/6", "⅐": "1/7", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8", "⅑": "1/9", "⅒": "1/10"}
GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "θ": "theta", "φ": "phi", "ψ": "psi", "ω": "omega",
         "λ": "lambda", "μ": "mu", "ξ": "xi", "η": "eta", "ζ": "zeta"}
TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([A-Za-z_]\w*'*)|(.))", re.ASCII)


class ParseError(Exception):
    pass


def to_ascii(text):
    """The spelling of reports in characters of the language; products by a space stay."""
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda m: "^" + m[0].translate(SUPERSCRIPTS), text)
    text = text.translate(SUBSCRIPTS)
    for letter, name in GREEK.items():
        text = text.replace(letter, name)
    for letter, fraction in VULGAR.items():
        text = text.replace(letter, f"({fraction})")
    for mark, plain in (("−", "-"), ("·", "*"), ("π", "pi"), ("′", "'"), ("\u0307", "'"), ("\u0308", "''")):
        text = text.replace(mark, plain)
    return text


def tokens(text):
    place, found = 0, []
    text = to_ascii(text).rstrip()
    while place < len(text):
        match = TOKEN.match(text, place)
        number, name, sign = match.groups()
        found.append(("num", number) if number else ("name", name) if name else ("sign", sign))
        place = match.end()
    return found + [("end", "")]


class Parser:
    def __init__(self, text):
        self.tokens, self.place, self.in_bars = tokens(text), 0, False

    def peek(self):
        return self.tokens[self.place]

    def take(self):
        self.place += 1
        return self.tokens[self.place - 1]

    def accept(self, sign):
        if self.peek() == ("sign", sign):
            self.place += 1
            return True
        return False

    def expect(self, sign):
        if not self.accept(sign):
            raise ParseError(f"`{sign}` expected, found {self.peek()}")

    def sum(self):
        left = self.product()
        while True:
            if self.accept("+"):
                left = ("add", left, self.product())
            elif self.accept("-"):
                left = ("add", left, ("neg", self.product()))
            else:
                return left

    def begins_operand(self):
        kind, text = self.peek()
        return kind in ("num", "name") or text in ("(", "√", "|") and not (text == "|" and self.in_bars)

    def product(self):
        left = self.signed()
        while True:
            if self.accept("*"):
                left = ("mul", left, self.signed())
            elif self.accept("/"):
                left = ("div", left, self.signed())
            elif self.begins_operand():
                left = ("mul", left, self.power())
            else:
                return left

    def signed(self):
        if self.accept("-"):
            return ("neg", self.signed())
        if self.accept("+"):
            return self.signed()
        return self.power()

    def power(self):
        base = self.atom()
        return ("pow", base, self.signed()) if self.accept("^") else base

    def arguments(self):
        self.expect("(")
        found = [self.sum()]
        while self.accept(","):
            found.append(self.sum())
        self.expect(")")
        return found

    def atom(self):
        kind, text = self.take()
        if kind == "num":
            return ("num", Fraction(text))
        if kind == "name":
            return self.named(text)
        if text == "(":
            inside = self.sum()
            self.expect(")")
            return inside
        if text == "√":
            return ("call", "sqrt", [self.atom()])
        if text == "|":
            self.in_bars = True
            inside = self.sum()
            self.in_bars = False
            self.expect("|")
            return ("call", "abs", [inside])
        raise ParseError(f"an operand expected, found {kind} `{text}`")

    def named(self, name):
        if name == "pi":
            return ("pi",)
        if name == "D" and self.peek() == ("sign", "("):
            return self.partial()
        if self.peek() != ("sign", "("):
            return ("sym", name)
        bare = name.rstrip("'")
        arguments = self.arguments()
        if name in FUNCTIONS:
            return ("call", name, arguments)
        return ("apply", bare, (1,)*(len(name) - len(bare)), arguments)

    def partial(self):
        self.expect("(")
        name, slots = self.take()[1], []
        while self.accept(","):
            slots.append(int(self.take()[1]))
        self.expect(")")
        return ("apply", name, tuple(slots), self.arguments())


FUNCTIONS = {"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs", "sign",
             "min", "max"}


def parse(text):
    parser = Parser(text)
    tree = parser.sum()
    if parser.peek()[0] != "end":
        raise ParseError(f"{parser.peek()} follows an expression in {text!r}")
    return tree


def symbols(tree):
    """Names of the symbols, sorted."""
    if tree[0] == "sym":
        return [tree[1]]
    inner = tree[-1] if tree[0] in ("call", "apply") else [part for part in tree[1:] if isinstance(part, tuple)]
    return sorted({name for part in inner for name in symbols(part)})
