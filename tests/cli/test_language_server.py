#!/usr/bin/env python3
"""The language server as an editor meets it: the protocol, word for word, on models that are right, wrong and half typed.

usage: test_language_server.py PROGRAM
"""

import json
import random
import re
import subprocess
import threading
import unittest

from program import PROGRAM, ROOT

URI = "file:///tmp/a%20model.lia"
PENDULUM = """\
system "Pendulum"
# the mass of the bob
param m > 0 = 2 [kg], l > 0 = 50 [cm], g = 9.81 [m/s^2]  # as on earth
coord θ [rad]
particle P mass m at [l*sin(θ), -l*cos(θ)]
gravity [0, -g]
function f(v) = m*v^2
start θ = 1
claim energy: conserved(T + V)
claim theta'' == -g/l*sin(theta)
"""


class Client:
    def __init__(self):
        self.process = subprocess.Popen([PROGRAM, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.timer = threading.Timer(60, self.process.kill)
        self.timer.start()
        self.count = 0
        self.notices = []

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass") if not isinstance(message, bytes) else message
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def read(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            if line == b"\r\n":
                break
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def request(self, method, **params):
        self.count += 1
        self.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        return self.answer(self.count)

    def answer(self, number):
        while True:
            message = self.read()
            if message is None:
                raise AssertionError("the server ended: " + self.process.stderr.read().decode())
            if message.get("id") == number and "method" not in message:
                return message
            self.notices.append(message)

    def notify(self, method, **params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(20)
        self.timer.cancel()
        self.process.stdout.close()
        self.process.stderr.close()
        return code


def place(text, part, behind=0, last=False):
    """Where a part begins, in units of UTF-16; `behind`: so many characters later."""
    offset = (text.rindex(part) if last else text.index(part)) + behind
    before = text[:offset]
    line = before.count("\n")
    start = before.rfind("\n") + 1
    return {"line": line, "character": len(text[start:offset].encode("utf-16-le")) // 2}


def cut(text, span):
    """The part of a text that a range names."""
    lines = text.split("\n")
    if span["start"]["line"] != span["end"]["line"]:
        return None
    units = lines[span["start"]["line"]].encode("utf-16-le")
    return units[2 * span["start"]["character"]:2 * span["end"]["character"]].decode("utf-16-le")


class Editor(unittest.TestCase):
    def setUp(self):
        self.client = Client()
        self.addCleanup(self.client.close)
        self.capabilities = self.client.request("initialize", processId=None, rootUri=None, capabilities={})["result"]["capabilities"]
        self.client.notify("initialized")

    def open(self, text, uri=URI):
        self.text = text
        self.client.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "lia", "version": 1, "text": text})
        return self.diagnostics(uri)

    def diagnostics(self, uri=URI):
        while True:
            message = self.client.notices.pop(0) if self.client.notices else self.client.read()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                return message["params"]["diagnostics"]

    def ask(self, what, part, behind=0, last=False, **more):
        answer = self.client.request("textDocument/" + what, textDocument={"uri": URI}, position=place(self.text, part, behind, last), **more)
        return answer.get("result", answer.get("error"))

    def labels(self, part, behind=0, last=False):
        return [item["label"] for item in self.ask("completion", part, behind, last)]


class Diagnostics(Editor):
    def test_a_sound_model_has_none(self):
        self.assertEqual(self.open(PENDULUM), [])

    def test_place_code_hint_and_quick_fix_behind_letters_of_two_units(self):
        wrong = 'system "𝔭𝔮"\ncoord x\nkinetic x\'^2/2\noutput 𝛼β = 1\n'
        found = self.open('coord x\nkinetic x\'^2/2\nlet θ = x # 𝔭\nforce x = -θ - tteta\n')
        self.assertEqual([each["code"] for each in found], ["L0408"], found)
        self.assertEqual(cut(self.text, found[0]["range"]), "tteta")
        self.assertIn("hint: did you mean `theta`?", found[0]["message"])
        fixes = self.client.request("textDocument/codeAction", textDocument={"uri": URI}, range=found[0]["range"], context={"diagnostics": found})["result"]
        self.assertEqual([fix["title"] for fix in fixes], ["Write `theta`"])
        edit = fixes[0]["edit"]["changes"][URI][0]
        self.assertEqual((edit["newText"], edit["range"]), ("theta", found[0]["range"]))
        self.assertTrue(self.open(wrong))

    def test_a_change_is_the_whole_text_and_a_closed_file_has_none(self):
        self.assertEqual(len(self.open("coord x\n")), 1)
        self.client.notify("textDocument/didChange", textDocument={"uri": URI, "version": 2}, contentChanges=[{"text": PENDULUM}])
        self.assertEqual(self.diagnostics(), [])
        self.client.notify("textDocument/didChange", textDocument={"uri": URI, "version": 3}, contentChanges=[{"text": "kinetik 1\n"}])
        self.assertEqual(self.diagnostics()[0]["code"], "L0401")
        self.client.notify("textDocument/didClose", textDocument={"uri": URI})
        self.assertEqual(self.diagnostics(), [])

    def test_only_the_newest_of_waiting_texts_is_read(self):
        self.open("coord x\n")
        burst = b""
        for k in range(40):
            body = json.dumps({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
                "textDocument": {"uri": URI, "version": k}, "contentChanges": [{"text": PENDULUM if k == 39 else "coord\n"}]}}).encode()
            burst += b"Content-Length: %d\r\n\r\n" % len(body) + body
        self.client.raw(burst)
        last = None
        answer = self.client.request("textDocument/hover", textDocument={"uri": URI}, position={"line": 0, "character": 1})
        for notice in self.client.notices:
            last = notice["params"]["diagnostics"]
        self.assertEqual(last, [])
        self.assertIn("result", answer)
        self.assertLessEqual(len(self.client.notices), 40)


class Names(Editor):
    def test_hover_has_meaning_unit_and_value(self):
        self.open(PENDULUM)
        told = self.ask("hover", "m at [l")["contents"]["value"]
        for part in ("m > 0 = 2 [kg]", "parameter", "value 2", "kg", "positive", "as on earth"):
            self.assertIn(part, told)
        told = self.ask("hover", "l*cos")["contents"]["value"]
        self.assertIn("value 0.5 in SI units: m", told)
        self.assertIn("acceleration of the coordinate in rad/s^2", self.ask("hover", "theta''")["contents"]["value"])
        self.assertIn("gravity [0, 0, -g]", self.ask("hover", "gravity")["contents"]["value"])
        self.assertIn("sine", self.ask("hover", "sin(θ)")["contents"]["value"])
        self.assertIn("kg", self.ask("hover", "[kg]", 1)["contents"]["value"])
        self.assertIn("kinetic energy", self.ask("hover", "T + V")["contents"]["value"])
        self.assertIsNone(self.ask("hover", "9.81"))
        self.assertIsNone(self.ask("hover", "Pendulum"))

    def test_hover_has_the_units_of_outputs_and_reactions(self):
        text = PENDULUM + "table lift points (0, 1), (1, 2) units [rad], [mm]\noutput high = lift(θ) + l\nconstraint c: θ' = 0\n"
        self.assertEqual(self.open(text), [])
        self.assertIn("output in m", self.ask("hover", "high")["contents"]["value"])
        self.assertIn("constraint, `lambda(c)` in N·m", self.ask("hover", "c: θ'")["contents"]["value"])

    def test_definition_and_references_know_greek_and_primes(self):
        self.open(PENDULUM)
        self.assertEqual(self.ask("definition", "theta''")["range"], {"start": place(PENDULUM, "θ [rad]"), "end": place(PENDULUM, "θ [rad]", 1)})
        found = self.ask("references", "θ [rad]", context={"includeDeclaration": True})
        self.assertEqual([cut(PENDULUM, each["range"]) for each in found], ["θ", "θ", "θ", "θ", "theta''", "theta"])
        self.assertEqual(len(self.ask("references", "θ [rad]", context={"includeDeclaration": False})), 5)

    def test_an_argument_is_known_in_its_function_alone(self):
        self.open("param v = 1\ncoord x\nfunction f(v) = v^2\nkinetic x'^2/2\nforce x = v*f(x)\n")
        self.assertEqual(self.ask("definition", "v^2")["range"]["start"], place(self.text, "v) ="))
        self.assertEqual(self.ask("definition", "v*f")["range"]["start"], place(self.text, "v = 1"))

    def test_a_body_and_a_parameter_of_one_name(self):
        self.open("param B = 1, J = 1\ncoord x, y, phi\nbody B mass B inertia J at [x, y] angle phi\nforce [B, 0] at B\noutput s = B.x'\n")
        self.assertEqual(self.ask("definition", "B, 0")["range"]["start"], place(self.text, "B = 1"))
        self.assertEqual(self.ask("definition", "B\noutput")["range"]["start"], place(self.text, "B mass"))
        self.assertEqual(self.ask("definition", "B.x'")["range"]["start"], place(self.text, "B mass"))

    def test_shapes_name_objects_and_kinds(self):
        self.open("param R = 1\ncoord x, y\nparticle P mass 1 at [x, y]\nconstraint rod: x^2 + y^2 = 4\nparam disc = 3\nshape rod P to [0, 0]\nshape P disc radius R\nstart x = 2\n")
        for part in ("P disc", "P to [0"):
            self.assertEqual(self.ask("definition", part)["range"]["start"], place(self.text, "P mass"))
        for part in ("rod P", "disc radius"):  # kinds, and not what has their names
            self.assertIsNone(self.ask("definition", part))

    def test_symbols(self):
        self.open(PENDULUM)
        found = self.client.request("textDocument/documentSymbol", textDocument={"uri": URI})["result"]
        self.assertEqual([each["name"] for each in found], ["m", "l", "g", "theta", "P", "f", "energy"])
        for each in found:
            for edge, order in (("start", 1), ("end", -1)):  # the name lies in the whole
                outer, inner = each["range"][edge], each["selectionRange"][edge]
                self.assertLessEqual(order * 10000 * outer["line"] + order * outer["character"], order * 10000 * inner["line"] + order * inner["character"])


class Rename(Editor):
    def renamed(self, part, name, **more):
        result = self.ask("rename", part, newName=name, **more)
        if "changes" not in result:
            return result["message"]
        text = self.text
        for edit in sorted(result["changes"][URI], key=lambda e: (-e["range"]["start"]["line"], -e["range"]["start"]["character"])):
            lines = text.split("\n")
            row = edit["range"]["start"]["line"]
            units = lines[row].encode("utf-16-le")
            lines[row] = (units[:2 * edit["range"]["start"]["character"]].decode("utf-16-le") + edit["newText"]
                          + units[2 * edit["range"]["end"]["character"]:].decode("utf-16-le"))
            text = "\n".join(lines)
        return text

    def test_every_way_of_writing_is_renamed(self):
        self.open(PENDULUM)
        expected = re.sub("θ|theta", "angle_1", PENDULUM)
        self.assertEqual(self.renamed("θ [rad]", "angle_1"), expected)
        self.assertEqual(self.open(expected), [])

    def test_units_strings_comments_and_other_names_are_left(self):
        text = 'system "m m"\nparam m = 1 [m], mm = 2 # m\ncoord x [m]\nkinetic m*x\'^2/2\nforce x = -mm*x\nstart x = 3 [m]\nclaim c: x\'\' == -mm*x/m at (x = 1 [m])\n'
        self.open(text)
        self.assertEqual(self.renamed("m = 1", "mass_1"), text.replace("param m", "param mass_1").replace("kinetic m*", "kinetic mass_1*").replace("x/m at", "x/mass_1 at"))

    def test_what_would_break_the_model_is_refused(self):
        self.open("param a = 1, b = 2\ncoord x\nfunction f(v) = a*v\nrotation R (p, q, r) in body\nkinetic x'^2/2 + p^2 + q^2 + r^2\npotential R33 + f(x) + b\n")
        self.assertIn("error", self.renamed("a = 1", "b"))
        self.assertIn("error", self.renamed("R (p", "S"))
        self.assertEqual(self.renamed("a = 1", "v"), "something else is called `v` here")
        self.assertEqual(self.renamed("a = 1", "2a"), "`2a` is no name: a letter, then letters, digits and _")
        self.assertIn("error", self.renamed("a = 1", "t"))
        self.assertEqual(self.renamed("kinetic", "k"), "there is no name of the model here")

    def test_what_would_break_a_model_with_an_error_is_refused_too(self):
        self.open("param k = 1 [kg]\ncoord x [m]\nkinetic k*x'^2/2\nforce x = x'\n")
        for name in ("t", "lambda_x", "a__b"):
            self.assertIn("with this name the model has an error", self.renamed("k = 1", name), name)
        self.assertIn("param mass = 1", self.renamed("k = 1", "mass"))

    def test_prepare(self):
        self.open(PENDULUM)
        self.assertEqual(self.ask("prepareRename", "theta''")["placeholder"], "theta")
        self.assertIsNone(self.ask("prepareRename", "gravity"))


class Completion(Editor):
    def test_statements_at_the_begin_of_a_line(self):
        self.open(PENDULUM + "ki")
        offered = set(self.labels("ki", 2, last=True))
        source = (ROOT / "src/model/reader.cpp").read_text(encoding="utf-8")
        table = source[source.index("keyword_table() {"):]
        keywords = set(re.findall(r'\n      \{"(\w+)",', table[:table.index("};")]))
        self.assertGreater(len(keywords), 30)
        self.assertEqual(offered, keywords)

    def test_names_functions_and_units(self):
        self.open(PENDULUM + "force theta = -m*\nparam q = 1 [\noutput w = lambda(\nmoment 1 on \n")
        names = self.labels("-m*", 3)
        for name in ("m", "l", "theta", "theta'", "sin", "f", "pi"):
            self.assertIn(name, names)
        self.assertNotIn("v", names)
        self.assertNotIn("energy", names)
        self.assertIn("kg*m^2", self.labels("1 [\n", 3))
        self.assertNotIn("sin", self.labels("1 [\n", 3))
        self.assertEqual(self.labels("lambda(", 7, last=True), [])
        self.assertEqual(self.labels("1 on ", 5), ["P", "ground"])
        self.assertEqual(self.labels("# as on", 4), [])

    def test_where_few_words_can_stand(self):
        text = PENDULUM + "body B mass m inertia m*l^2 on ground by \nrotation (p, q, r) in \nforce \nstart \nstart θ = f(1), \nshape \nshape P \n"
        self.open(text)
        self.assertEqual(self.labels("ground by ", 10), ["hinge", "slider", "cylindrical", "screw", "universal", "planar", "ball", "weld"])
        self.assertEqual(self.labels("r) in ", 6), ["body", "space"])
        self.assertEqual(self.labels("\nforce ", 7), ["theta", "p", "q", "r"])
        self.assertEqual(self.labels("\nstart \n", 7), ["theta", "theta'", "p", "q", "r"])
        self.assertEqual(self.labels("f(1), ", 6), ["theta", "theta'", "p", "q", "r"])
        self.assertEqual(self.labels("\nshape \n", 7), ["rod", "line", "point", "P", "B", "ground"])
        kinds = self.labels("shape P ", 8)
        self.assertIn("disc", kinds)
        self.assertNotIn("rod", kinds)

    def test_every_unit_that_is_offered_is_one(self):
        self.open("param q = 1 [\n")
        for unit in self.labels("[", 1):
            self.assertEqual(self.open(f"param q = 1 [{unit}]\ncoord x\nkinetic x'^2/2\n"), [], unit)
            self.text = "param q = 1 [\n"


class Protocol(unittest.TestCase):
    def test_the_way_in_and_out(self):
        client = Client()
        self.assertEqual(client.request("textDocument/hover")["error"]["code"], -32002)
        client.request("initialize", capabilities={})
        self.assertEqual(client.request("no/such")["error"]["code"], -32601)
        self.assertEqual(client.request("textDocument/noSuch", textDocument={"uri": URI})["error"]["code"], -32601)
        self.assertEqual(client.request("textDocument/hover", textDocument={"uri": URI}, position={"line": 0, "character": 0})["error"]["code"], -32602)
        self.assertIsNone(client.request("shutdown")["result"])
        self.assertEqual(client.request("textDocument/hover")["error"]["code"], -32600)
        client.notify("exit")
        self.assertEqual(client.close(), 0)
        abrupt = Client()
        abrupt.notify("exit")
        self.assertEqual(abrupt.close(), 1)
        self.assertEqual(Client().close(), 1)  # the editor is gone

    def test_a_cancelled_request_is_answered_as_such(self):
        client = Client()
        client.request("initialize", capabilities={})
        client.notify("textDocument/didOpen", textDocument={"uri": URI, "languageId": "lia", "version": 1, "text": PENDULUM})
        message = lambda m: b"Content-Length: %d\r\n\r\n" % len(json.dumps(m)) + json.dumps(m).encode()
        hover = lambda n: {"jsonrpc": "2.0", "id": n, "method": "textDocument/hover", "params": {"textDocument": {"uri": URI}, "position": {"line": 2, "character": 7}}}
        # The cancellation comes before its request: it waits for it.
        client.raw(message({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "x"}}) + message(hover("x")) + message(hover("y")))
        self.assertEqual(client.answer("x")["error"]["code"], -32800)
        self.assertIn("result", client.answer("y"))
        client.close()

    def test_bad_messages_are_answered_and_passed_over(self):
        client = Client()
        client.request("initialize", capabilities={})
        client.send(b"{ this is no JSON")
        self.assertEqual(client.read()["error"]["code"], -32700)
        for odd in (b"[]", b"1", b'"x"', b"{}", b'{"id": 3}', b'{"method": 5, "id": 3}'):
            client.send(odd)
            self.assertEqual(client.read()["error"]["code"], -32600, odd)
        client.raw(b"Content-Type: nonsense\r\nCoNtEnT-LeNgTh:2\r\n\r\n{}")
        self.assertEqual(client.read()["error"]["code"], -32600)
        client.raw(b"\r\nno header at all\r\n\r\nContent-Length: x\r\n\r\n")
        for params in (None, [], 5, {"textDocument": 1}, {"textDocument": {"uri": 3}}, {"textDocument": {"uri": URI}, "position": {"line": -1, "character": 1e99}}):
            for method in ("hover", "rename", "codeAction", "completion", "references"):
                client.send({"jsonrpc": "2.0", "id": 9, "method": "textDocument/" + method, "params": params})
                self.assertIn("error", client.answer(9), (method, params))
            for method in ("didOpen", "didChange", "didClose"):
                client.notify("textDocument/" + method, **(params if isinstance(params, dict) else {}))
        self.assertIsNone(client.request("shutdown")["result"])
        client.notify("exit")
        self.assertEqual(client.close(), 0)

    def test_texts_cut_and_mixed_at_random(self):
        """Half typed and broken models: every question has an answer, and the server lives."""
        seed = 20261118
        chance = random.Random(seed)
        models = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "models").rglob("*.lia")) if path.stat().st_size < 4000]
        client = Client()
        client.request("initialize", capabilities={})
        for round_number in range(150):
            text = chance.choice(models)
            for _ in range(chance.randrange(4)):
                at, size = chance.randrange(len(text) + 1), chance.randrange(30)
                text = text[:at] + chance.choice(["", "(", "]", "\"", "#", "\n", "θ̇", "𝔭", "for i in 1..3: ", "\\\n", "{", "'", "\0", "\ud800"]) + text[at + size:]
            client.notify("textDocument/didOpen", textDocument={"uri": URI, "languageId": "lia", "version": 1, "text": text})
            at = {"line": chance.randrange(text.count("\n") + 3), "character": chance.randrange(60)}
            for method, more in (("hover", {}), ("completion", {}), ("references", {"context": {}}), ("definition", {}), ("prepareRename", {}),
                                 ("rename", {"newName": "zz"})):
                answer = client.request("textDocument/" + method, textDocument={"uri": URI}, position=at, **more)
                self.assertTrue("result" in answer or answer["error"]["code"] == -32803, (seed, round_number, method, answer))
            answer = client.request("textDocument/documentSymbol", textDocument={"uri": URI})
            self.assertIn("result", answer)
        client.close()


class Extension(unittest.TestCase):
    FOLDER = ROOT / "editors/vscode"

    def test_its_files_are_there_and_name_each_other(self):
        package = json.loads((self.FOLDER / "package.json").read_text())
        contributes = package["contributes"]
        for path in (package["main"], contributes["languages"][0]["configuration"], contributes["grammars"][0]["path"]):
            self.assertTrue((self.FOLDER / path).is_file(), path)
        json.loads((self.FOLDER / "language-configuration.json").read_text())
        required = set(re.findall(r'require\("([^"/]+)', (self.FOLDER / "extension.js").read_text()))
        self.assertEqual(required, {"vscode", *package["dependencies"]})
        version = re.search(r"project\(liaison VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
        self.assertEqual(package["version"], version)

    def test_its_grammar_knows_every_statement(self):
        grammar = json.loads((self.FOLDER / "syntaxes/lia.tmLanguage.json").read_text(encoding="utf-8"))
        statement = next(p["match"] for p in grammar["patterns"] if "captures" in p)
        source = (ROOT / "src/model/reader.cpp").read_text(encoding="utf-8")
        table = source[source.index("keyword_table() {"):]
        for keyword in re.findall(r'\n      \{"(\w+)",', table[:table.index("};")]):
            self.assertRegex(keyword + " x", statement)
        self.assertRegex("for i in 1..3: coord x_{i}", statement)
        self.assertNotRegex("nonsense x", statement)


class Positions(Editor):
    def test_positions_beyond_the_text(self):
        self.open("coord 𝔭x\n")
        for line, character in ((0, 10**6), (10**6, 0), (0, 7), (0, 8)):
            answer = self.client.request("textDocument/hover", textDocument={"uri": URI}, position={"line": line, "character": character})
            self.assertIn("result", answer)

    def test_names_are_found_where_they_are_in_every_model(self):
        """Each word that the server takes for a name of a sound model can be renamed to a fresh one, or says why not."""
        for path in sorted((ROOT / "models/classics").glob("*.lia"))[:6]:
            text = path.read_text(encoding="utf-8")
            self.assertEqual(self.open(text), [], path)
            symbols = self.client.request("textDocument/documentSymbol", textDocument={"uri": URI})["result"]
            self.assertGreater(len(symbols), 3)
            for symbol in symbols:
                self.assertEqual(symbol["name"] in cut(text, symbol["selectionRange"]) or ord(cut(text, symbol["selectionRange"])[0]) > 127, True)
                answer = self.client.request("textDocument/rename", textDocument={"uri": URI}, position=symbol["selectionRange"]["start"], newName="fresh_name")
                self.assertTrue("result" in answer or answer["error"]["message"].startswith("with this name the model has an error"), (path, symbol["name"], answer))


if __name__ == "__main__":
    unittest.main(verbosity=2)
