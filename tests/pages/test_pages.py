#!/usr/bin/env python3
"""Pages in a browser without a window, on 1400 and 500 pixels, light, dark and on paper.

usage: test_pages.py PROGRAM BROWSER PDFTOTEXT [TESTS]

What stands on which page of paper is asked of Poppler's pdftotext; where that is not installed ("" or LIAISON_PDFTOTEXT-NOTFOUND) it is not asked.
"""

import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import pages
from browser import Browser, BrowserError

PDFTOTEXT = sys.argv.pop(3)
BROWSER, PROGRAM = sys.argv.pop(2), str(pathlib.Path(sys.argv.pop(1)).resolve())
MEASURE = (pathlib.Path(__file__).parent / "measure.js").read_text(encoding="utf-8")
NOT_RUN = 77  # as in CMakeLists.txt
# width, height, dark, paper: A4 between its margins is 680 pixels wide
LOOKS = [(1400, 900, False, False), (500, 800, False, False), (1400, 900, True, False), (500, 800, True, False), (680, 962, False, True)]
# The light of what is painted: of the page and of its text.
LIGHT = """(() => {
  const light = (colour) => { const [r, g, b, a] = colour.match(/[\\d.]+/g).map(Number); return a === 0 ? null : (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255; };
  const style = getComputedStyle(document.body);
  return [light(style.backgroundColor), light(style.color)];
})()"""


class InBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        cls.browser = Browser(BROWSER)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.kept.cleanup()

    def look_at(self, page):
        for width, height, dark, paper in LOOKS:
            with self.subTest(page=page.name, width=width, dark=dark, paper=paper):
                self.browser.open(page.as_uri(), width, height, dark, paper)
                self.assertEqual(self.browser.evaluate(MEASURE), [])
                self.assertEqual(self.browser.complaints(page.as_uri()), [])
                ground, ink = self.browser.evaluate(LIGHT)
                if dark and not paper:
                    self.assertLess(ground, 0.2)
                    self.assertGreater(ink, 0.7)
                else:
                    self.assertGreater(ground, 0.9)
                    self.assertLess(ink, 0.3)


class Documents(InBrowser):
    def test_derivations(self):
        for model in pages.DERIVED:
            self.look_at(pages.write_document(PROGRAM, "derive", model, self.folder))

    def test_names_of_several_letters(self):
        self.look_at(pages.write_long_names(PROGRAM, self.folder))

    def test_names_of_several_letters_stand_apart(self):
        page = pages.write_long_names(PROGRAM, self.folder)
        for width in (1400, 500):
            self.browser.open(page.as_uri(), width)
            close = self.browser.evaluate("""(() => {
              const found = [];
              for (const formula of document.querySelectorAll(".formula")) {
                const leaves = [...formula.querySelectorAll("mi, mn, mo")].filter((one) => one.getBoundingClientRect().width > 0);
                for (let i = 1; i < leaves.length; ++i) {
                  const [a, b] = [leaves[i - 1], leaves[i]], [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
                  if (a.tagName === "mo" || b.tagName === "mo" || a.textContent === "∂" || (a.textContent.length < 2 && b.textContent.length < 2)) continue;
                  if (a.closest("details.copy") || q.left < p.left || Math.abs(p.bottom - q.bottom) > 0.5 * p.height) continue;  // another line, a script
                  const script = b.closest("msub, msup, msubsup");
                  if (script && script.contains(a)) continue;
                  if (q.left - p.right < 1) found.push(a.textContent + b.textContent);
                }
              }
              return found;
            })()""")
            self.assertEqual(close, [], width)

    def test_analyses(self):
        for model in pages.ANALYSED:
            self.look_at(pages.write_document(PROGRAM, "analyze", model, self.folder))

    def test_what_follows_a_relation_begins_beside_its_left_side(self):
        page = pages.write_document(PROGRAM, "derive", "classics/tilting_disc", self.folder)
        self.browser.open(page.as_uri(), 1400)
        broken = self.browser.evaluate("""(() => {
          const found = [];
          for (const formula of document.querySelectorAll(".formula")) {
            const left = formula.querySelector(".left"), parts = formula.querySelectorAll(".right math");
            if (!left || !parts.length) continue;
            const a = left.querySelector("math").getBoundingClientRect(), b = parts[0].getBoundingClientRect();
            const lines = formula.querySelector(".right").getBoundingClientRect().height / parseFloat(getComputedStyle(formula).fontSize);
            found.push([lines, Math.abs((a.top + a.bottom) / 2 - (b.top + b.bottom) / 2), formula.textContent.slice(0, 30), parts[0].closest(".fraction") !== null]);
          }
          return found;
        })()""")
        of_lines = [row for row in broken if row[0] > 4 and not row[3]]  # of several lines, and no fraction that is broken
        self.assertGreaterEqual(len(of_lines), 2)
        for _, apart, text, _ in of_lines:
            self.assertLess(apart, 16, text)

    def test_a_menu_copies_and_steps_fold(self):
        page = pages.write_document(PROGRAM, "derive", "tutorial/pendulum", self.folder)
        self.browser.open(page.as_uri(), 1400)
        told = self.browser.evaluate("""(async () => {
          const taken = [];
          document.execCommand = () => { taken.push(document.querySelector("textarea").value); return true; };
          Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { taken.push(text); } } });
          const menu = [...document.querySelectorAll(".copy")].at(-1);
          menu.querySelector("summary").click();
          const shown = menu.open, names = [...menu.querySelectorAll("button")].map((one) => one.textContent);
          for (const button of menu.querySelectorAll("button")) { button.click(); await 0; await 0; }
          const step = document.querySelector("section > details");
          const tall = step.getBoundingClientRect().height;
          step.querySelector("summary").click();
          await new Promise((done) => requestAnimationFrame(done));
          return { shown, names, taken, folded: step.getBoundingClientRect().height < tall / 2 };
        })()""")
        self.assertTrue(told["shown"] and told["folded"])
        self.assertEqual(told["names"], ["LaTeX", "text", "C", "Python"])
        self.assertEqual(len(told["taken"]), 4)
        self.assertIn("theta''", told["taken"][1])
        self.assertIn("\\ddot", told["taken"][0])


class Curves(InBrowser):
    def test_they_fit_everywhere(self):
        for name in pages.PLOTS:
            self.look_at(pages.write_plot(PROGRAM, name, self.folder))

    def test_a_name_hides_its_curve_and_a_drag_looks_closer(self):
        page = pages.write_plot(PROGRAM, "run", self.folder)
        self.browser.open(page.as_uri(), 1400, 1900)
        told = self.browser.evaluate("""(async () => {
          const svg = [...document.querySelectorAll("figure svg")].find((one) => one.getBoundingClientRect().width > 0);
          const ticks = () => [...svg.querySelectorAll('.ticks[data-key="0-0"] text')].map((one) => one.textContent).join(" ");
          const hidden = () => svg.querySelectorAll(".curve.off").length;
          const states = [[ticks(), hidden()]];
          svg.querySelector(".legend").dispatchEvent(new MouseEvent("click", { bubbles: true }));
          states.push([ticks(), hidden()]);
          svg.querySelector(".legend").dispatchEvent(new MouseEvent("click", { bubbles: true }));
          document.querySelector('.tools button[data-do="in"]').click();
          const path = svg.querySelector('.curve[data-key="0-0"] path').getAttribute("d");
          document.querySelector('.tools button[data-do="all"]').click();
          const again = svg.querySelector('.curve[data-key="0-0"] path').getAttribute("d");
          states.push([path !== again, hidden()]);
          return states;
        })()""")
        self.assertEqual([state[1] for state in told], [0, 1, 0])
        self.assertTrue(told[2][0])


class Mechanisms(InBrowser):
    def test_they_fit_everywhere(self):
        for name in pages.SCENES:
            self.look_at(pages.write_scene(PROGRAM, name, self.folder))

    def test_they_play(self):
        for name in pages.SCENES:
            page = pages.write_scene(PROGRAM, name, self.folder)
            for width, dark in ((1400, False), (500, True)):
                with self.subTest(name=name, width=width):
                    self.browser.open(page.as_uri() + "#t=0", width, dark=dark)
                    told = self.browser.evaluate("""(async () => {
                      const canvas = document.querySelector("#scene canvas"), range = document.querySelector("#scene input[type=range]");
                      range.value = 0.5;  // where every one of them moves
                      range.dispatchEvent(new Event("input"));
                      const pictures = [canvas.toDataURL()], times = [Number(range.value)];
                      document.querySelector("#scene button").click();
                      const begin = performance.now();
                      while (Number(range.value) < 0.55 && performance.now() - begin < 60000) await new Promise((done) => requestAnimationFrame(done));
                      pictures.push(canvas.toDataURL());
                      times.push(Number(range.value));
                      document.querySelector("#scene button").click();
                      const stopped = range.value;
                      for (let i = 0; i < 5; ++i) await new Promise((done) => requestAnimationFrame(done));
                      return { differ: pictures[0] !== pictures[1], times, stays: stopped === range.value };
                    })()""")
                    self.assertTrue(told["differ"] and told["stays"], told)
                    self.assertGreaterEqual(told["times"][1], 0.55)

    def test_boxes_change_the_picture(self):
        page = pages.write_scene(PROGRAM, "double_pendulum", self.folder)
        self.browser.open(page.as_uri() + "#t=2", 1400)
        names = self.browser.evaluate("""(() => {
          const canvas = document.querySelector("#scene canvas"), changed = [];
          for (const box of document.querySelectorAll("#scene label input")) {
            const before = canvas.toDataURL();
            box.click();
            if (canvas.toDataURL() !== before) changed.push(box.parentElement.textContent.trim());
          }
          return changed;
        })()""")
        self.assertEqual(names, ["traces", "velocities", "names", "follow"])

    def test_small_arrows_are_seen_beside_large_ones(self):
        page = pages.write_unlike_forces(PROGRAM, self.folder)
        for fragment, said in (("reactions", "reactions longest .* N, lengths by the cube root"), ("velocities", r"velocities longest [\d.]+ m/s")):
            self.browser.open(page.as_uri() + f"#t=0.5&plain&{fragment}", 1400)
            self.assertRegex(self.browser.evaluate("document.querySelector('#scene .modes').textContent"), f"^{said}$")
        # pulls of 3 m g cos and of a five-thousandth of it: at the light particle there is an arrow of its own colour
        self.browser.open(page.as_uri() + "#t=0.5&plain&reactions", 1400)
        paint = self.browser.evaluate("""(() => {
          const canvas = document.querySelector("#scene canvas"), data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
          const columns = new Set();
          for (let i = 0; i < data.length; i += 4)
            if (Math.abs(data[i] - 0xd5) + Math.abs(data[i + 1] - 0x5e) + Math.abs(data[i + 2]) < 12) columns.add(((i / 4) % canvas.width) < canvas.width / 2);
          return columns.size;
        })()""")
        self.assertEqual(paint, 2)  # in the left half and in the right half

    def dot(self):
        """Where the colour of the first object is: left, right, top, bottom, and the size of the picture."""
        return self.browser.evaluate("""(() => {
          const canvas = document.querySelector("#scene canvas"), wide = canvas.width, data = canvas.getContext("2d").getImageData(0, 0, wide, canvas.height).data;
          const xs = [], ys = [];
          for (let i = 0; i < data.length; i += 4)
            if (data[i] < 0x40 && data[i + 2] > data[i] + 0x60) { xs.push((i / 4) % wide); ys.push(Math.floor(i / 4 / wide)); }
          const least = (a) => a.reduce((b, c) => Math.min(b, c)), most = (a) => a.reduce((b, c) => Math.max(b, c));
          return [least(xs), most(xs), least(ys), most(ys), wide, canvas.height];
        })()""")

    def follows(self):
        return self.browser.evaluate("[...document.querySelectorAll('#scene label')].find((one) => one.textContent.trim() === 'follow').firstChild.checked")

    def test_a_particle_is_a_dot_on_its_way(self):
        for text, until in ((pages.THROWN, "2"), (pages.THROWN_IN_SPACE, "2"), (pages.THROWN, None), (pages.THROWN_IN_SPACE, None)):
            page = pages.write_text(PROGRAM, text, self.folder, *(["--until", until] if until else []))
            for width in (1400, 500):
                places = []
                for t in (0, 1, 2):
                    self.browser.open(page.as_uri() + f"#t={t}&plain", width)
                    left, right, top, bottom, wide, tall = self.dot()
                    for extent in (right - left, bottom - top):
                        self.assertTrue(3 <= extent <= 16, (until, width, t, extent))
                    places.append(((left + right) / 2, (top + bottom) / 2))
                if not until:
                    self.assertLess(math.dist(places[0], (wide / 2, tall / 2)), 0.1 * tall)
                    continue
                self.assertFalse(self.follows())
                (x0, y0), (x1, y1), (x2, y2) = places  # of 3 t, 9.81 t - 9.81 t^2/2
                self.assertGreater(max(x2 - x0, (y0 - y1) * 6 / 4.905), 0.6 * min(wide, tall))
                if text is pages.THROWN:
                    self.assertAlmostEqual((x2 - x0) / (x1 - x0), 2, delta=0.05)
                    self.assertAlmostEqual((y0 - y1) / (x2 - x0), 4.905 / 6, delta=0.05)
                # and who wants to follow it sees it in the middle, as small
                self.browser.evaluate("[...document.querySelectorAll('#scene label')].find((one) => one.textContent.trim() === 'follow').firstChild.click()")
                left, right, top, bottom, wide, tall = self.dot()
                self.assertTrue(right - left <= 16 and bottom - top <= 16)
                self.assertLess(math.dist(((left + right) / 2, (top + bottom) / 2), (wide / 2, tall / 2)), 0.1 * tall)

    def test_who_goes_far_is_followed(self):
        for until, wanted in (("1.2", False), ("40", True)):
            self.browser.open(pages.write_text(PROGRAM, pages.WHEEL, self.folder, "--until", until).as_uri(), 1400)
            self.assertEqual(self.follows(), wanted, until)

    def test_space_turns_by_the_mouse(self):
        page = pages.write_scene(PROGRAM, "spinning_top", self.folder)
        self.browser.open(page.as_uri(), 1400)
        self.assertTrue(self.browser.evaluate("""(() => {
          const canvas = document.querySelector("#scene canvas"), before = canvas.toDataURL();
          canvas.setPointerCapture = () => {};
          const at = (x) => ({ pointerId: 1, clientX: x, clientY: 300, buttons: 1, bubbles: true });
          canvas.dispatchEvent(new PointerEvent("pointerdown", at(400)));
          canvas.dispatchEvent(new PointerEvent("pointermove", at(500)));
          canvas.dispatchEvent(new PointerEvent("pointerup", at(500)));
          return canvas.toDataURL() !== before;
        })()"""))

    def test_the_cursor_of_the_curves_goes_along(self):
        page = pages.write_plot(PROGRAM, "run", self.folder)
        for width in (1400, 500):
            self.browser.open(page.as_uri(), width, 1900)
            told = self.browser.evaluate("""(() => {
              const range = document.querySelector("#scene input[type=range]"), output = document.querySelector("#scene output");
              const svg = [...document.querySelectorAll("figure svg")].find((one) => one.getBoundingClientRect().width > 0);
              const places = [];
              for (const part of [0.25, 0.75]) {
                range.value = part;
                range.dispatchEvent(new Event("input"));
                const line = svg.querySelector(".pointer:not(.off) line").getBoundingClientRect(), frame = svg.querySelector(".grid").getBoundingClientRect();
                places.push((line.left - frame.left) / frame.width);
              }
              const box = svg.querySelector(".grid").getBoundingClientRect();
              svg.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, bubbles: true }));
              return { places, told: output.value, back: Number(range.value) };
            })()""")
            for place, part in zip(told["places"], (0.25, 0.75)):
                self.assertAlmostEqual(place, part, delta=0.02)
            self.assertAlmostEqual(told["back"], 0.5, delta=0.02)
            self.assertAlmostEqual(float(re.search(r"[\d.]+", told["told"]).group()), 2.5, delta=0.1)


# Marks at the beginning and at the end of what must not be cut, and of what belongs to the heading in front of it.
MARKS = """(() => {
  let count = 0;
  const mark = (element, name, atEnd) => {
    const text = document.createElement("span");
    text.textContent = name;
    text.style.cssText = "position:absolute;left:0;font:4px monospace;color:#000;text-indent:0;" + (atEnd ? "bottom:0" : "top:0");
    if (getComputedStyle(element).position === "static") element.style.position = "relative";
    element.append(text);
  };
  for (const element of document.querySelectorAll(".formula, td, .strobe > div, .sheets")) {
    if (element.matches(".sheets")) {
      for (const strip of element.querySelectorAll("svg")) {
        const box = document.createElement("div");
        strip.replaceWith(box);
        box.append(strip);
        box.style.breakInside = "avoid";
        mark(box, `Q${++count}A`, false);
        mark(box, `Q${count}Z`, true);
      }
      continue;
    }
    if (element.getBoundingClientRect().height > 900) continue;  // more than a page by itself
    mark(element, `Q${++count}A`, false);
    mark(element, `Q${count}Z`, true);
  }
  for (const step of document.querySelectorAll("section > details")) {
    mark(step.querySelector("summary"), `H${++count}A`, false);
    mark(step.querySelector("summary").nextElementSibling, `H${count}Z`, false);
  }
  return count;
})()"""


class Gallery(InBrowser):
    def test_it_has_a_picture_equations_and_claims_of_each(self):
        index = pages.write_gallery(PROGRAM, self.folder)
        for width, height, dark, paper in LOOKS:
            with self.subTest(width=width, dark=dark, paper=paper):
                self.browser.open(index.as_uri(), width, height, dark, paper)
                self.assertEqual(self.browser.evaluate(MEASURE), [])
                own = f"request: {index.parent.as_uri()}"
                self.assertEqual([told for told in self.browser.complaints(index.as_uri()) if not told.startswith(own)], [])
        self.browser.open(index.as_uri(), 1400)
        told = self.browser.evaluate("""[...document.querySelectorAll("article")].map((one) => ({
          frame: one.querySelector("iframe").getAttribute("src"), maths: one.querySelectorAll("math").length,
          claims: [...one.querySelectorAll(".claims li b")].map((each) => each.textContent) }))""")
        self.assertEqual([one["frame"] for one in told], [name.replace("/", "-") + ".html" for name in pages.GALLERY])
        for name, one in zip(pages.GALLERY, told):
            self.assertTrue((self.folder / "gallery" / one["frame"]).is_file())
            self.assertGreater(one["maths"], 1)
            text = (pages.MODELS / f"{name}.lia").read_text(encoding="utf-8")
            self.assertEqual(len(one["claims"]), len(re.findall(r"^(?:claim|misprint)\b", text, re.MULTILINE)))
            self.assertLessEqual(set(one["claims"]), {"proved", "checked", "misprint, refuted"})


@unittest.skipUnless(pathlib.Path(PDFTOTEXT).is_file(), "pdftotext is not installed")
class Paper(InBrowser):
    def printed(self, page):
        """The text of each page of paper; before that, nothing that is printed is wider than it."""
        self.browser.open(page.as_uri(), 1400)
        # the marks are set when the page is already laid out for paper: after the listeners of the page itself
        self.browser.evaluate("addEventListener('beforeprint', () => { window.marked = " + MARKS + "; }); 0")
        (self.folder / "page.pdf").write_bytes(self.browser.print())
        count = self.browser.evaluate("window.marked")
        text = subprocess.run([PDFTOTEXT, self.folder / "page.pdf", "-"], capture_output=True, text=True, check=True).stdout
        return count, text.split("\f")[:-1]

    @staticmethod
    def times_on(sheet):
        return sorted(float(t) for t in re.findall(r"t ?= ?([0-9.]+)", sheet))

    def uncut(self, page, least, most_pages):
        count, sheets = self.printed(page)
        self.assertGreaterEqual(count, least)
        self.assertLessEqual(len(sheets), most_pages)
        places = {name: i for i, sheet in enumerate(sheets) for name in re.findall(r"[QH]\d+[AZ]", sheet)}
        begun = [name for name in places if name.endswith("A")]
        self.assertGreaterEqual(len(begun), least)
        for name in begun:
            self.assertEqual(places.get(name), places.get(name[:-1] + "Z", places[name]), f"{page.name}: {name} is cut")
        return sheets

    def test_no_formula_is_cut(self):
        for model, least, most in (("classics/tilting_disc", 60, 7), ("classics/four_bar", 60, 9), ("gallissot/two_contacts_that_begin_to_slip", 40, 7)):
            with self.subTest(model=model):
                self.uncut(pages.write_document(PROGRAM, "derive", model, self.folder), least, most)

    def test_no_panel_is_cut_and_the_motion_is_there_at_six_times(self):
        for name, least in (("run_of_a_disc", 9), ("run_with_contacts", 9)):
            with self.subTest(name=name):
                sheets = self.uncut(pages.write_plot(PROGRAM, name, self.folder), least, 5)
                self.assertEqual(self.times_on(sheets[0]), [0, 1.2, 2.4, 3.6, 4.8, 6])

    def test_what_is_printed_looks_like_what_is_shown(self):
        page = pages.write_plot(PROGRAM, "run_of_a_disc", self.folder)
        self.browser.open(page.as_uri(), 1400)
        looks = "(where) => { const look = getComputedStyle(document.querySelector(where)); return [look.stroke, look.fontFamily, look.display]; }"
        self.assertEqual(self.browser.evaluate(f"({looks})('.strip')")[:2], self.browser.evaluate(f"({looks})('.picture.wide svg')")[:2])
        self.assertEqual([self.browser.evaluate(f"({looks})('{where}')")[2] for where in (".sheets", ".picture.wide")], ["none", "block"])
        self.browser.open(page.as_uri(), 680, 962, paper=True)
        self.assertEqual([self.browser.evaluate(f"({looks})('{where}')")[2] for where in (".sheets", ".picture.wide")], ["block", "none"])

    def test_a_moving_picture_is_six_on_one_page(self):
        page = pages.write_scene(PROGRAM, "four_bar", self.folder)
        sheets = self.uncut(page, 6, 1)
        self.assertEqual(self.times_on(sheets[0]), [0, 0.6, 1.2, 1.8, 2.4, 3])
        different = self.browser.evaluate("""(() => {
          dispatchEvent(new Event("beforeprint"));
          const pictures = [...document.querySelectorAll(".strobe canvas")].map((canvas) => canvas.toDataURL());
          dispatchEvent(new Event("afterprint"));
          return [new Set(pictures).size, document.querySelectorAll(".strobe canvas").length];
        })()""")
        self.assertEqual(different, [6, 0])

    def test_the_ink_is_dark_on_paper_where_the_screen_is_dark(self):
        page = pages.write_scene(PROGRAM, "double_pendulum", self.folder)
        corner = """(() => {
          const corner = () => [...document.querySelector("#scene canvas").getContext("2d").getImageData(3, 3, 1, 1).data];
          const screen = corner();
          dispatchEvent(new Event("beforeprint"));
          const canvas = document.querySelector(".strobe canvas");
          return [screen, [...canvas.getContext("2d").getImageData(3, 3, 1, 1).data]];
        })()"""
        self.browser.open(page.as_uri(), 1400, dark=True)
        screen, paper = self.browser.evaluate(corner)
        self.assertLess(max(screen[:3]), 60)
        self.assertEqual(paper, [255, 255, 255, 255])


class ManyRows(InBrowser):
    """A run of 100,000 rows. Times are those of the processor in the page, and generous: a file that is not thinned is far over them."""

    def page(self):
        page = self.folder / "many.html"
        model = self.folder / "many.lia"
        model.write_text("param g = 9.81\ncoord a, b\nparticle P mass 1 at [sin(a), -cos(a)]\n"
                         "particle Q mass 1 at [sin(a) + sin(b), -cos(a) - cos(b)]\ngravity [0, -g]\nstart a = 2, b = 2.5\n", encoding="utf-8")
        done = subprocess.run([PROGRAM, "simulate", model, "--until", "100", "--every", "0.001", "-o", self.folder / "many.csv", "--plot", page],
                              capture_output=True, text=True, check=True)
        self.assertIn("(100001 rows)", done.stdout)
        return page

    def test_they_are_drawn_at_once_and_move_smoothly(self):
        page = self.page()
        self.assertLess(page.stat().st_size, 5_000_000)
        self.browser.open(page.as_uri(), 1400)
        # The entry comes when the picture has reached the screen, which may be after the page was loaded and its scripts have run.
        first = self.browser.evaluate("""new Promise((done) => {
          new PerformanceObserver((list) => { for (const entry of list.getEntriesByName("first-contentful-paint")) done(entry.startTime); })
            .observe({ type: "paint", buffered: true });
          requestAnimationFrame(() => { document.body.style.outline = "0"; });
        })""")
        steps = self.browser.evaluate("""(() => {
          const range = document.querySelector("#scene input[type=range]"), begin = performance.now(), frames = 100;
          for (let i = 0; i < frames; ++i) { range.value = i / frames; range.dispatchEvent(new Event("input")); }
          return (performance.now() - begin) / frames;
        })()""")
        print(f"{page.stat().st_size} bytes, first picture after {first:.0f} ms, a frame in {steps:.1f} ms", file=sys.stderr)
        self.assertLess(first, 10_000)  # a second on a machine of its own
        self.assertLess(steps, 100)

    def test_no_extremum_is_lost(self):
        page = self.page()
        rows = (self.folder / "many.csv").read_text(encoding="utf-8").splitlines()
        names = rows[0].split(",")
        values = [[float(cell) for cell in row.split(",")] for row in rows[1:]]
        self.browser.open(page.as_uri(), 1400)
        kept = self.browser.evaluate("JSON.parse(document.getElementById('data').textContent).panels.flatMap((panel) => panel.series)"
                                     ".map((one) => [one.name, one.values.length, Math.min(...one.values), Math.max(...one.values)])")
        seen = 0
        for name, count, least, most in kept:
            if name not in names:
                continue
            column = [row[names.index(name)] for row in values]
            self.assertLess(count, 7000)
            for mine, true in ((least, min(column)), (most, max(column))):
                self.assertAlmostEqual(mine, true, delta=2e-6 * max(1, abs(true)))
            seen += 1
        self.assertGreaterEqual(seen, 4)


def refuse_without_browser():
    """Where the browser itself does not come up nothing is judged, and CTest says that these tests were skipped."""
    try:
        with Browser(BROWSER) as browser:
            browser.ask("Browser.getVersion", session=None)
    except (BrowserError, OSError) as why:
        print(f"{BROWSER} does not start: {why}")
        sys.exit(NOT_RUN)


if __name__ == "__main__":
    refuse_without_browser()
    unittest.main()
