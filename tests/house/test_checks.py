#!/usr/bin/env python3
"""Each house check finds what is broken in a sample tree, and says it in the words that we promise."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"


class CheckTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def check(self, name, *arguments):
        """(exit status, lines printed)"""
        command = [sys.executable, str(TOOLS / f"check_{name}.py"), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8")
        return done.returncode, (done.stdout + done.stderr).splitlines()


class Layers(CheckTest):
    def findings(self, name, text):
        self.write(name, text)
        return self.check("layers", self.root)

    def test_a_layer_may_include_itself_and_what_stands_to_its_left(self):
        self.write("include/liaison/expr/expr.hpp", "")
        text = '#include "liaison/expr/expr.hpp"\n#include <liaison/forms/form.hpp>\n#include "beside.hpp"\n'
        self.assertEqual(self.findings("src/forms/wedge.cpp", text), (0, []))

    def test_a_layer_to_the_right_is_refused(self):
        text = '#pragma once\n#include "liaison/mechanics/omega.hpp"\n'
        self.assertEqual(
            self.findings("include/liaison/forms/d.hpp", text),
            (1, ["include/liaison/forms/d.hpp:2: forms includes mechanics (not allowed)"]),
        )

    def test_neighbours_of_one_row_do_not_see_each_other(self):
        self.assertEqual(
            self.findings("src/unilateral/impact.cpp", "#include <liaison/structure/symmetry.hpp>\n"),
            (1, ["src/unilateral/impact.cpp:1: unilateral includes structure (not allowed)"]),
        )

    def test_llvm_stays_in_compile(self):
        self.write("src/compile/jit.cpp", "#include <llvm/IR/Module.h>\n")
        self.assertEqual(
            self.findings("src/simulate/step.cpp", "#include <llvm/IR/Module.h>\n"),
            (1, ["src/simulate/step.cpp:1: simulate includes LLVM (only src/compile may)"]),
        )

    def test_public_headers_name_no_other_library(self):
        text = "#include <vector>\n#include <flint/fmpq.h>\n#include <arb.h>\n#include <Eigen/Dense>\n"
        self.write("src/algebra/dense.cpp", text)
        place, rest = "include/liaison/algebra/dense.hpp", "(only the standard library and liaison/)"
        self.assertEqual(
            self.findings(place, text),
            (
                1,
                [
                    f"{place}:2: a public header includes flint/fmpq.h {rest}",
                    f"{place}:3: a public header includes arb.h {rest}",
                    f"{place}:4: a public header includes Eigen/Dense {rest}",
                ],
            ),
        )

    def test_what_layers_share_in_src_is_shared_to_the_right(self):
        self.write("src/algebra/zero_test.cpp", '#include "expr/raw.hpp"\n')
        self.assertEqual(
            self.findings("src/expr/pool.cpp", '#include "algebra/field.hpp"\n'),
            (1, ["src/expr/pool.cpp:1: expr includes algebra (not allowed)"]),
        )

    def test_rooms_of_a_layer_see_what_stands_to_their_left(self):
        self.write("src/simulate/run/stepper.cpp", '#include "liaison/simulate/methods.hpp"\n')
        self.write("src/simulate/methods/methods.cpp", '#include "simulate/run/stepper.hpp"\n')
        self.assertEqual(
            self.findings("include/liaison/simulate/methods.hpp", '#include "liaison/simulate/stepper.hpp"\n'),
            (
                1,
                [
                    "include/liaison/simulate/methods.hpp:1: the room methods of simulate includes run (not allowed)",
                    "src/simulate/methods/methods.cpp:1: the room methods of simulate includes run (not allowed)",
                ],
            ),
        )

    def test_unknown_layers_are_refused(self):
        self.write("src/helpers/text.cpp", "")
        self.assertEqual(
            self.findings("src/forms/d.cpp", '#include "liaison/util/text.hpp"\n'),
            (1, ["src/forms/d.cpp:1: util is not a layer", "src/helpers/text.cpp:1: not in a known layer"]),
        )

    def test_a_private_header_of_another_folder_is_refused(self):
        self.assertEqual(
            self.findings("src/forms/d.cpp", '#include "../algebra/canonical.hpp"\n'),
            (1, ["src/forms/d.cpp:1: ../algebra/canonical.hpp leaves its folder (not allowed)"]),
        )


class Sizes(CheckTest):
    def test_600_lines_pass_and_601_do_not(self):
        self.write("src/expr/long.cpp", "//\n" * 600)
        self.write("src/expr/longer.cpp", "//\n" * 601)
        finding = "src/expr/longer.cpp:601: 601 lines, 600 at most: split it by idea"
        self.assertEqual(self.check("sizes", self.root), (1, [finding]))


class Messages(CheckTest):
    def findings(self, test):
        self.write("src/cli/a.cpp", 'refuse(place, fmt::format("`{}` is no name of a wheel",\n  name), "a hint that is long");\nfmt::print("a line of a table");\n')
        self.write("tests/cli/test_a.py", test)
        return self.check("messages", self.root)

    def test_what_no_test_prints_is_found(self):
        place = "src/cli/a.cpp:1: no test prints this message: `{}` is no name of a wheel"
        self.assertEqual(self.findings('"a hint that is long"'), (1, [place]))

    def test_a_text_with_gaps_stands_in_a_test_that_fills_them(self):
        self.assertEqual(self.findings('"`x` is no name of a wheel", "a hint "\n  "that is long"'), (0, []))

    def test_the_list_of_what_is_missing_shrinks(self):
        self.write("tests/messages/untested.txt", "src/cli/a.cpp: `{}` is no name of a wheel\n")
        self.assertEqual(self.findings('"a hint that is long"'), (0, []))
        gone = "tests/messages/untested.txt: this stands in a test now, or is said no more: src/cli/a.cpp: `{}` is no name of a wheel"
        self.assertEqual(self.findings('"a hint that is long; `x` is no name of a wheel"'), (1, [gone]))


class Words(CheckTest):
    def test_paths_of_one_machine_are_found(self):
        self.write("docs/a.md", "see /ho" + "me/me/notes\nsee https://example.org/ho" + "me/ and ${x}/ho" + "me/\n")
        self.assertEqual(self.check("words", self.root), (1, ["docs/a.md:1: /ho" + "me/ is a path of one machine"]))

    def test_an_unfinished_mark_needs_its_issue(self):
        mark = "TO" + "DO"
        self.write("src/expr/a.cpp", f"// {mark}(#7): fine\n// {mark}: later\n")
        finding = f"src/expr/a.cpp:2: unfinished mark {mark}: finish it, or write {mark}(#issue)"
        self.assertEqual(self.check("words", self.root), (1, [finding]))


class Names(CheckTest):
    def findings(self, **texts):
        for name, text in texts.items():
            self.write(f"src/model/{name}.cpp", text)
        return self.check("names", self.root)

    def test_two_types_of_one_name_are_told(self):
        guard = "LIAISON_MODEL_PLACE_HPP"
        self.write("include/liaison/model/place.hpp", f"#ifndef {guard}\n#define {guard}\nnamespace liaison {{\nclass Place {{\n"
                                                      f"  int line;\n}};\n}}\n#endif  // {guard}\n")
        self.assertEqual(
            self.findings(branch="namespace liaison {\n/// struct Other {\ntemplate <class T>\nstruct Place final : T {\n};\n}\n"),
            (1, ["src/model/branch.cpp:4: liaison::Place is also a type of include/liaison/model/place.hpp"]),
        )

    def test_a_public_header_is_guarded_by_its_path(self):
        for text in ("#pragma once\n", "#ifndef LIAISON_MODEL_B_HPP\n#define LIAISON_MODEL_B_HPP\n#endif  // LIAISON_MODEL_B_HPP\n"):
            self.write("include/liaison/model/a.hpp", text)
            finding = "include/liaison/model/a.hpp:1: a public header begins with `#ifndef LIAISON_MODEL_A_HPP`"
            self.assertEqual(self.findings(), (1, [finding]))

    def test_a_test_shares_the_names_of_what_it_links(self):
        self.write("tests/model/a_test.cpp", "namespace liaison::test {\nenum class Kind { a };\n}\n")
        self.assertEqual(self.findings(kind="namespace liaison::test {\nstruct Kind {};\n}\n")[0], 1)

    def test_unnamed_namespaces_members_and_declarations_clash_with_nothing(self):
        hidden = "namespace liaison {\nnamespace {\nstruct Place {};\n}\nclass Later;\nstruct OUTER {\n  struct Inner {};\n};\n}\n"
        texts = {name: hidden.replace("OUTER", name.title()) for name in ("one", "two")}
        self.assertEqual(self.findings(**texts), (0, []))

    def test_a_specialisation_is_no_second_type(self):
        texts = {name: f"template <>\nstruct std::hash<{name}> {{}};\nnamespace std {{\ntemplate <>\nstruct hash<{name}*> {{}};\n}}\n"
                 for name in ("One", "Two")}
        self.assertEqual(self.findings(**texts), (0, []))


class Listed(CheckTest):
    def test_an_unlisted_source_or_header_is_found(self):
        self.write("src/expr/CMakeLists.txt", "liaison_layer(expr HEADERS a.hpp SOURCES a.cpp)\n")
        for name in ("include/liaison/expr/a.hpp", "include/liaison/expr/b.hpp", "src/expr/a.cpp", "tests/expr/t.cpp"):
            self.write(name, "")
        self.write("tests/expr/CMakeLists.txt", "liaison_test(NAME expr SOURCES)\n")
        self.assertEqual(
            self.check("listed", self.root),
            (
                1,
                [
                    "include/liaison/expr/b.hpp:1: not listed in src/expr/CMakeLists.txt",
                    "tests/expr/t.cpp:1: not listed in tests/expr/CMakeLists.txt",
                ],
            ),
        )


class Docs(CheckTest):
    def findings(self, text, *more):
        page = self.write("docs/page.md", text)
        common = ("--root", self.root, "--programs", self.root, "--examples", self.root / "bin")
        return self.check("docs", *common, *more, page)

    def program(self, name, text):
        self.write(f"bin/{name}", f"#!/bin/sh\n{text}\n").chmod(0o755)

    def test_console_output_is_compared(self):
        self.assertEqual(self.findings("```console\n$ echo a; echo b\na\nb\n$ seq 9\n1\n...\n9\n```\n"), (0, []))
        self.assertEqual(
            self.findings("text\n```console\n$ echo a\nb\n```\n"),
            (1, ["docs/page.md:3: `echo a` prints something else:", "    a"]),
        )

    def test_commands_must_succeed(self):
        self.assertEqual(self.findings("```sh\ntrue\n```\n"), (0, []))
        self.assertEqual(
            self.findings("```sh\nfalse\ntrue\n```\n"), (1, ["docs/page.md:1: the commands end with status 1:", "    (nothing)"])
        )

    def test_blocks_that_are_not_run_hold_only_known_dev_commands(self):
        self.write("dev", "#!/bin/sh\necho '  build   makes it'\n").chmod(0o755)
        self.assertEqual(
            self.findings("```sh no-run\ncd liaison\n./dev build\n./dev bild\nrm x\n```\n"),
            (
                1,
                [
                    "docs/page.md:4: `./dev bild` is not a command of ./dev",
                    "docs/page.md:5: a `sh no-run` block holds only git clone, cd and ./dev",
                ],
            ),
        )

    def test_programs_are_extracted_and_their_output_compared(self):
        text = "```cpp\n// file: hello.cpp\nint main() {}\n```\n\n```text\nhello\n```\n\n```cpp\nExpr x;\n```\n"
        self.assertEqual(
            self.findings(text, "--extract", self.root / "out"), (0, ["program page_hello", "fragments page"])
        )
        self.assertIn("int main() {}", (self.root / "out/page_hello.cpp").read_text())
        self.assertIn("Expr x;", (self.root / "out/page.cpp").read_text())
        self.program("page_hello", "echo hello")
        self.assertEqual(self.findings(text), (0, []))
        self.program("page_hello", "echo goodbye")
        self.assertEqual(
            self.findings(text), (1, ["docs/page.md:6: hello.cpp prints something else:", "    goodbye"])
        )

    def test_files_that_are_shown_are_the_files(self):
        self.write("a/CMakeLists.txt", "# file: a/CMakeLists.txt\nproject(a)\n")
        self.assertEqual(self.findings("```cmake\n# file: a/CMakeLists.txt\nproject(a)\n```\n"), (0, []))
        self.assertEqual(
            self.findings("```cmake\n# file: a/CMakeLists.txt\nproject(b)\n```\n"),
            (1, ["docs/page.md:1: differs from a/CMakeLists.txt"]),
        )

    def test_links_lead_somewhere(self):
        self.write("docs/other.md", "# A heading, with `code`\n")
        text = "[a](other.md) [b](other.md#a-heading-with-code) [c](gone.md)\n[d](other.md#gone) [e](https://example.org)\n"
        self.assertEqual(
            self.findings(text),
            (
                1,
                [
                    "docs/page.md:1: the link gone.md leads nowhere",
                    "docs/page.md:2: the link other.md#gone leads to no heading of that page",
                ],
            ),
        )

    def test_blocks_need_a_known_tag(self):
        self.assertEqual(
            self.findings("```\nx\n```\n"),
            (1, ["docs/page.md:1: a code block tagged ''; it must be one of console, sh, cpp, cmake, lia, text"]),
        )

    def test_pages_are_reached_from_the_index(self):
        self.write("docs/README.md", "[one](one.md)\n")
        self.write("docs/one.md", "[two](how-to/two.md)\n")
        self.write("docs/how-to/two.md", "")
        self.write("docs/three.md", "")
        self.assertEqual(
            self.check("docs", "--root", self.root, "--index"),
            (1, ["docs/three.md:1: not reached from docs/README.md"]),
        )


class UnityGroups(CheckTest):
    def groups(self, **texts):
        """The sources, as groups of their names."""
        paths = [self.write(f"{name}.cpp", text) for name, text in texts.items()]
        command = [sys.executable, str(TOOLS / "unity_groups.py"), str(self.root), *map(str, paths)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
        groups = {}
        for line in done.stdout.splitlines():
            group, path = line.split(" ", 1)
            groups.setdefault(group, []).append(pathlib.Path(path).stem)
        return list(groups.values())

    def test_sources_that_share_no_local_name_go_together(self):
        self.assertEqual(self.groups(a="namespace n {\nnamespace {\nint f(int y) { return y; }\n}\nint g() { int h = 1; return h; }\n}\n",
                                     b="namespace n {\nnamespace {\nint h(int y) { return y; }\n}\n}  // f\n"), [["a", "b"]])

    def test_a_local_name_that_stands_twice_keeps_sources_apart(self):
        for text in ("namespace {\nint f() { return 1; }\n}\n", "namespace {\ntemplate <class T>\nstruct f {};\n}\n",
                     "constexpr double g{2}, f = 1;\n", "#define f 1\n", "// first\nnamespace {  // then\n/// last\nint f;\n}\n", "static std::vector<int> f(int x);\n",
                     "namespace {\nusing f = int;\n}\n", "namespace {\nconst std::map<int, int> f = {{1, 2}};\n}\n"):
            with self.subTest(text=text):
                self.assertEqual(self.groups(a=text, b="int k;\n", c="namespace {\ndouble f(double x) { return x; }\n}\n"),
                                 [["a", "b"], ["c"]])

    def test_a_local_name_stays_apart_from_the_same_name_of_a_header(self):
        self.write("row.hpp", "namespace n {\nstruct Row {};\n}\n")
        self.write("rows.hpp", '#include "row.hpp"\n')
        local = "namespace n {\nnamespace {\nclass Row {};\n}\n}\n"
        self.assertEqual(self.groups(a=local, b='#include "rows.hpp"\n', c="int k;\n"), [["a", "c"], ["b"]])

    def test_a_local_name_stays_apart_from_calls_of_another_function(self):
        local = "namespace {\nint read(int y) { return y; }\n}\n"
        self.assertEqual(self.groups(a=local, b="int k() { return read(2, nullptr, 0); }\n", c="int l() { return x.read(2); }\n"),
                         [["a", "c"], ["b"]])

    def test_a_local_name_hides_one_of_a_header_that_both_include(self):
        self.write("rates.hpp", "namespace n {\nusing Rates = int;\n}\n")
        local = '#include "rates.hpp"\nnamespace n {\nnamespace {\nstruct Rates {};\n}\n}\n'
        self.assertEqual(self.groups(a=local, b='#include "rates.hpp"\nn::Rates rates;\n', c='#include "rates.hpp"\nint k;\n'),
                         [["a", "c"], ["b"]])

    def test_tests_declare_no_name_of_their_macro(self):
        self.assertEqual(self.groups(a="namespace {\nTEST(A, b) { }\n}\n", b="namespace {\nTEST(C, d) { }\n}\n"), [["a", "b"]])


if __name__ == "__main__":
    unittest.main()
