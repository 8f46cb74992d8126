#!/usr/bin/env python3
"""docs/benchmarks.md: what was written by hand stays where tables are measured anew."""

import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import contacts  # noqa: E402
import report  # noqa: E402

PAGE = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")
TEMPLATE = (ROOT / "bench/benchmarks.md.in").read_text(encoding="utf-8")
KEPT = "A line of a run that is not made each time.\n"


class Page(unittest.TestCase):
    def test_a_page_that_is_made_anew_keeps_the_chapters_of_groups(self):
        for name in report.BETWEEN_MARKS:
            mark = f"<!-- {name}: begin -->"
            old = PAGE.replace(mark, KEPT + mark)
            new = report.with_chapters_of(old, TEMPLATE)
            self.assertIn(KEPT + mark, new, name)
            self.assertEqual(new.count("## "), TEMPLATE.count("## "), name)
            self.assertEqual(report.chapter(new, name), report.chapter(old, name))
        self.assertIn("@chain@", report.with_chapters_of(PAGE, TEMPLATE))  # tables that are filled in stay

    def test_contacts_measured_in_full_leave_the_rest_of_the_page(self):
        timed = {"kind": "P", "size": 4, "found": "1", "note": "", "seconds": {"liaison": 1e-3}, "ratios": {"siconos": 0.5}}
        results = {"compare": ["- compared"], "enumeration": [timed], "lemke": [timed | {"kind": "symmetric"}], "p-matrix": [timed | {"kind": "definite"}],
                   "impacts": [], "bouncing": [], "ball": "| ball |", "discs": "| discs |"}
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            page, build = root / "docs/benchmarks.md", root / "build"
            for path, text in ((page, PAGE), (build / "liaison", ""), (build / "bin/contacts_bench", "")):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            with mock.patch.object(contacts, "ROOT", root), \
                    mock.patch.object(contacts, "measure", lambda part, *_: (results[part], False)):
                for part in contacts.PARTS[:-1]:
                    self.assertEqual(contacts.run(build, False, "abc", part), 0)
                self.assertEqual(page.read_text(encoding="utf-8"), PAGE)  # not all are known yet
                self.assertEqual(contacts.run(build, True, "abc"), 0)
                self.assertEqual(page.read_text(encoding="utf-8"), PAGE)  # a quick run is none
                self.assertEqual(contacts.run(build, False, "def", contacts.PARTS[-1]), 0)
            kept = json.loads((build / "contacts.json").read_text(encoding="utf-8"))
            self.assertEqual(set(kept), set(contacts.PARTS))
            written = page.read_text(encoding="utf-8")
        begin, end = written.index(contacts.BEGIN), written.index(contacts.END)
        self.assertEqual(written[:begin], PAGE[: PAGE.index(contacts.BEGIN)])
        self.assertEqual(written[end:], PAGE[PAGE.index(contacts.END):])
        for text in ("- compared", "| P-matrix | 4 | 1 | 1 ms | – | 0.5 |", "| ball |", "Commit abc, def."):
            self.assertIn(text, written[begin:end])


if __name__ == "__main__":
    unittest.main()
