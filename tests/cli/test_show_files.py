#!/usr/bin/env python3
"""The files of a moving picture: pages, pictures and films, and what is refused.

usage: test_show_files.py PROGRAM
"""

import json
import math
import os
import re
import shutil
import struct
import subprocess
import unittest

from program import LIMIT, PROGRAM, InFolder
from test_show import STRAIGHT, THROWN, Scene


def lzw(data, bits):
    """The indices of an image of a GIF, by the specification's decoder."""
    clear, end = 1 << bits, (1 << bits) + 1
    out, table, size, last, place = [], {}, bits + 1, None, 0
    stream = int.from_bytes(data, "little")
    while True:
        code = (stream >> place) & ((1 << size) - 1)
        place += size
        if code == clear:
            table, size, last = {i: [i] for i in range(clear)}, bits + 1, None
            count = end + 1
            continue
        if code == end:
            return out
        entry = table[code] if code in table else table[last] + table[last][:1]
        out.extend(entry)
        if last is not None and count < 4096:
            table[count] = table[last] + entry[:1]
            count += 1
            if count == 1 << size and size < 12:
                size += 1
        last = code


def gif_images(data):
    """(width, height, list of index lists)"""
    assert data[:6] == b"GIF89a" and data[-1:] == b";"
    width, height, flags = struct.unpack("<HHB", data[6:11])
    place, images = 13 + 3 * (2 << (flags & 7)), []

    def blocks(place):
        parts = b""
        while data[place]:
            parts += data[place + 1:place + 1 + data[place]]
            place += 1 + data[place]
        return parts, place + 1

    while data[place:place + 1] != b";":
        if data[place] == 0x21:
            _, place = blocks(place + 2)
        else:
            assert data[place] == 0x2C
            bits = data[place + 10]
            parts, place = blocks(place + 11)
            images.append(lzw(parts, bits))
    return width, height, images


class Files(InFolder):
    def page(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def test_a_page_asks_nothing_of_the_net(self):
        self.write(THROWN)
        self.assertEqual(self.run_in("show", "m.lia", "--until", "1")[0], 0)
        self.assertEqual(self.run_in("simulate", "m.lia", "--until", "1", "--plot", "run.html")[0], 0)
        for name in ("m.html", "run.html"):
            page = self.page(name)
            self.assertEqual(set(re.findall(r"https?://[^\"' )]*", page)) - {"http://www.w3.org/2000/svg"}, set(), name)
            self.assertEqual([link for link in re.findall(r"(?:src|href)=\"([^\"]*)\"", page) if not link.startswith(("data:", "#"))], [], name)
            self.assertNotRegex(page, r"fetch\(|XMLHttpRequest|import\s*\(|@import|url\(")
            self.assertEqual(page.count('id="scene-data"'), 1)
            data = re.search(r'id="scene-data">(.*?)</script>', page, re.S).group(1)
            self.assertEqual(json.loads(data)["schema"], 1)
            self.assertIn('"liaison:time"', page)
        self.assertEqual(self.page("run.html").count('"liaison:cursor", '), 3)  # said by the curves, heard by the scene

    def test_names_cannot_end_a_script(self):
        self.write('system "</script><b>&"\n' + THROWN)
        self.assertEqual(self.run_in("show", "m.lia", "-o", "a.html")[0], 0)
        page = self.page("a.html")
        self.assertEqual(page.count("</script>"), 2)

    def test_many_rows_are_a_small_page_with_its_extrema(self):
        self.write("coord x\nkinetic x'^2/2\npotential 200*x^2\nparticle P mass 1 at [x, 3*exp(-((t - 50)/(1/100))^2)]\nparticle Q mass 1 at [cos(37*t), sin(41*t)]\nstart x = 1\n")
        code, _, err = self.run_in("simulate", "m.lia", "--until", "100", "--every", "0.001", "--tol", "1e-6", "--plot", "run.html")
        self.assertEqual((code, err), (0, ""))
        self.assertLess((self.folder / "run.html").stat().st_size, 5_000_000)
        scene = Scene(re.search(r'id="scene-data">(.*?)</script>', self.page("run.html"), re.S).group(1))
        spike = scene.data["columns"][int(scene.one("tracks", name="P")["at"][1])]
        self.assertAlmostEqual(max(spike), 3, delta=1e-2)
        self.assertAlmostEqual(scene.t[spike.index(max(spike))], 50, delta=2e-3)
        self.assertLessEqual(len(scene.t) * (len(scene.data["columns"]) + 1), 210_000)

    def test_pictures_and_films(self):
        self.write(THROWN)
        for name, *more in (("a.svg",), ("a.png",), ("b.svg", "--until", "1"), ("a.gif", "--until", "1")):
            code, out, err = self.run_in("show", "m.lia", "-o", name, *more)
            self.assertEqual((code, err), (0, ""))
            self.assertTrue(out.startswith(name + ": "), out)
        self.assertTrue(self.page("a.svg").startswith("<svg xmlns"))
        self.assertNotEqual(self.page("a.svg"), self.page("b.svg"))
        png = (self.folder / "a.png").read_bytes()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        width, height, images = gif_images((self.folder / "a.gif").read_bytes())
        self.assertEqual(len(images), 46)
        for image in images:
            self.assertEqual(len(image), width * height)
        # a picture stands on the one before it, seen through where nothing changes (255): the dot leaves no dots behind
        self.assertNotIn(255, images[0])
        whole, dots = images[0], []
        paper = max(set(whole), key=whole.count)
        for image in images:
            self.assertTrue(image is whole or image.count(255) > 0.8 * len(image))
            whole = [old if new == 255 else new for old, new in zip(whole, image)]
            dots.append(len(whole) - whole.count(paper))
        self.assertNotEqual(images[0], whole)
        self.assertLess(max(dots), dots[0] + 0.02 * len(whole))  # more by the way that is drawn

    def strokes(self, colour):
        """[[(x, y), ...]] of the lines of a colour in a.svg."""
        lines = re.findall(f'<polyline points="([^"]*)" fill="none" stroke="#{colour}"', self.page("a.svg"))
        return [[tuple(map(float, pair.split(","))) for pair in line.split()] for line in lines]

    def test_arrows_are_drawn_in_pictures_and_films(self):
        green, orange = "009e73", "d55e00"
        self.write(THROWN)
        self.assertEqual(self.run_in("show", "m.lia", "-o", "a.svg")[0], 0)
        self.assertEqual(self.strokes(green), [])
        code, out, err = self.run_in("show", "m.lia", "--arrows", "velocities", "--names", "-o", "a.svg")
        self.assertEqual((code, err), (0, ""))
        (((x, y), (u, v)),) = self.strokes(green)  # up to its head, which has nine
        size = math.hypot(3, 9.81)
        for here, true in zip((u - x, y - v), (3, 9.81)):
            height = float(re.search(r'viewBox="0 0 \d+ (\d+)"', self.page("a.svg")).group(1))
            self.assertAlmostEqual(here, true / size * (0.2 * height - 0.8 * 9), delta=0.1)
        texts = re.findall("<text[^>]*>([^<]*)</text>", self.page("a.svg"))
        self.assertIn("velocities: longest 10.3 m/s", texts)
        self.assertIn("10.3 m/s", texts)
        self.assertIn("P", texts)
        # of a run the longest one is that of the whole run: at the vertex what is left is 3 of 10.3
        self.assertEqual(self.run_in("show", "m.lia", "--until", "1", "--arrows", "velocities", "-o", "a.svg")[0], 0)
        ((x, _), (u, _)), = self.strokes(green)
        height = float(re.search(r'viewBox="0 0 \d+ (\d+)"', self.page("a.svg")).group(1))
        self.assertAlmostEqual(u - x, 3 / size * 0.2 * height - 0.8 * 9, delta=0.2)
        self.write("param g = 9.81\ncoord x, y\nparticle P mass 1 at [x, y]\nconstraint rod: x^2 + y^2 = 1\ngravity [0, -g]\nstart x = 0.6, y = -0.8\n")
        self.assertEqual(self.run_in("show", "m.lia", "--arrows", "reactions, velocities", "-o", "a.svg")[0], 0)
        (((x, y), (u, v)),) = self.strokes(orange)  # to the pivot
        self.assertAlmostEqual((u - x) / (y - v), -0.6 / 0.8, delta=0.01)
        self.assertIn("reactions: longest 7.85", re.findall("<text[^>]*>([^<]*)</text>", self.page("a.svg")))
        # films have them, in each picture
        dots = []
        for name, *more in (("a.gif",), ("b.gif", "--arrows", "reactions"), ("a-%02d.png", "--arrows", "reactions")):
            self.assertEqual(self.run_in("show", "m.lia", "--until", "0.5", "-o", name, *more)[0], 0)
            if name.endswith(".gif"):
                dots.append((self.folder / name).stat().st_size)
        self.assertGreater(dots[1], dots[0])

    def test_a_page_opens_as_it_was_asked_for(self):
        self.write(THROWN)
        for more, asked in (((), ""), (("--arrows", "velocities", "--names"), "velocities&amp;names")):
            self.assertEqual(self.run_in("show", "m.lia", *more)[0], 0)
            self.assertIn(f'data-asked="{asked}"', self.page("m.html"))
        self.write("coord x, y, z\nparticle P mass 1 at [x, y, z]\n")
        self.assertEqual(self.run_in("show", "m.lia", "--view", "-40, 30")[0], 0)
        self.assertIn('data-asked="view=-40,30"', self.page("m.html"))

    def test_a_particle_is_a_dot_and_the_picture_holds_its_way(self):
        self.write(THROWN)
        for more in ((), ("--until", "2"), ("--until", "2000")):
            self.assertEqual(self.run_in("show", "m.lia", "-o", "a.svg", *more)[0], 0)
            picture = self.page("a.svg")
            width, height = map(int, re.search(r'viewBox="0 0 (\d+) (\d+)"', picture).groups())
            extents = [[max(values) - min(values) for values in zip(*(map(float, pair.split(",")) for pair in points.split()))]
                       for points in re.findall('<polyline points="([^"]*)"', picture)]
            dot = " ".join(re.findall('<polygon points="([^"]*)"', picture)).split()
            for values in zip(*(map(float, pair.split(",")) for pair in dot)):
                self.assertTrue(6 < max(values) - min(values) < 16, more)
            if more == ("--until", "2"):  # the parabola from 0 to 6 and up to 4.905 fills it
                wide, tall = max(extents)
                self.assertAlmostEqual(wide / tall, 6 / 4.905, delta=2e-3)
                self.assertGreater(max(wide / width, tall / height), 0.85)
        # in space, and where two do not differ but for the last digits
        self.write("coord x, y, z\nparticle P mass 1 at [x, y, z]\nparticle Q mass 1 at [x + y/10^12, y, z]\nstart x = 3, y = 1\n")
        self.assertEqual(self.run_in("show", "m.lia", "-o", "a.svg")[0], 0)
        places = [tuple(map(float, pair.split(","))) for points in re.findall('<polygon points="([^"]*)"', self.page("a.svg")) for pair in points.split()]
        for values in zip(*places):
            self.assertTrue(4 < max(values) - min(values) < 16)

    def test_a_long_title_is_broken(self):
        words = ["word" + "x" * k for k in range(14)]
        self.write('system "' + " ".join(words) + '"\n' + THROWN)
        for until in ((), ("--until", "2")):
            self.assertEqual(self.run_in("show", "m.lia", "-o", "a.svg", *until)[0], 0)
            lines = re.findall(r'<text x="10.00" y="([\d.]+)" font-size="12"[^>]*>(word[^<]*)</text>', self.page("a.svg"))
            self.assertEqual(" ".join(line for _, line in lines), " ".join(words))
            self.assertGreater(len(lines), 1)
            for y, line in lines:
                advances = {"x": 0.592, "w": 0.818, "o": 0.612, "r": 0.411, "d": 0.635, " ": 0.318}  # of DejaVu Sans
                self.assertLess(10 + 12 * sum(advances[letter] for letter in line), 800)
            top = min(float(pair.split(",")[1]) for points in re.findall('<poly(?:gon|line) points="([^"]*)"', self.page("a.svg")) for pair in points.split())
            self.assertGreater(top, float(lines[-1][0]))  # nothing is drawn under it

    def test_numbered_pictures(self):
        self.write(THROWN)
        code, out, err = self.run_in("show", "m.lia", "--until", "1", "-o", "a-%02d.png")
        self.assertEqual((code, err), (0, ""))
        names = sorted(path.name for path in self.folder.glob("*.png"))
        self.assertEqual(names, [f"a-{k:02}.png" for k in range(1, 47)])
        first, last = (self.folder / names[0]).read_bytes(), (self.folder / names[-1]).read_bytes()
        self.assertEqual((first[:8], first[16:24]), (b"\x89PNG\r\n\x1a\n", last[16:24]))  # of one size
        self.assertNotEqual(first, last)

    def said(self, *arguments):
        code, out, err = self.run_in("show", "m.lia", *arguments)
        self.assertEqual((code, err), (0, ""))
        return out.splitlines()[0].split("; ")[-1]

    def test_how_fast_a_film_is_is_said(self):
        self.write(STRAIGHT)
        for until, words in (("0.2", "46 pictures, 15 a second, 3.07 s, 15 times slower than the motion"),
                             ("4", "61 pictures, 15 a second, 4.07 s, as fast as the motion"),
                             ("40", "181 pictures, 15 a second, 12.1 s, 3.33 times faster than the motion")):
            self.assertEqual(self.said("--until", until, "-o", "a.gif"), words)
            width, height, images = gif_images((self.folder / "a.gif").read_bytes())
            self.assertEqual(f"{len(images)} pictures", words.split(",")[0])
        for speed, words in (("1", "4 pictures, 15 a second, 0.267 s, as fast as the motion"),
                             ("0.1", "31 pictures, 15 a second, 2.07 s, 10 times slower than the motion"),
                             ("2", "3 pictures, 15 a second, 0.2 s, 2 times faster than the motion")):
            self.assertEqual(self.said("--until", "0.2", "--speed", speed, "-o", "a-%02d.png"), words)
        code, out, err = self.run_in("show", "m.lia", "--until", "0.2", "--speed", "0.5", "-o", "b.gif", "--json")
        self.assertEqual((code, err), (0, ""))
        film = json.loads(out)["film"]
        self.assertEqual((film["pictures"], film["rate"], film["speed"]), (7, 15, 0.5))
        self.assertAlmostEqual(film["seconds"], 7 / 15)
        # the times of a film are hundredths of a second, which together are its length
        data = (self.folder / "b.gif").read_bytes()
        delays = [struct.unpack("<H", data[at + 4:at + 6])[0] for at in (found.start() for found in re.finditer(b"\x21\xf9\x04", data))]
        self.assertEqual((len(delays), sum(delays)), (7, 47))
        self.assertNotIn("film", json.loads(self.run_in("show", "m.lia", "--until", "1", "--json")[1]))

    def test_pictures_of_a_film_are_equally_far_apart(self):
        self.write(STRAIGHT)
        self.assertTrue(self.said("--until", "0.5", "--speed", "1", "-o", "a.gif").startswith("9 pictures"))
        width, height, images = gif_images((self.folder / "a.gif").read_bytes())
        first, whole, places = images[0], images[0], []
        for image in images[1:]:
            whole = [old if new == 255 else new for old, new in zip(whole, image)]
            changed = [[x for x in range(width) if whole[y * width + x] != first[y * width + x]] for y in range(height)]
            places.append(max(max(changed, key=len)))  # the side of the dot that goes before, on its way
        step = (places[6] - places[0]) / 6
        self.assertGreater(step, 20)
        for place, steps in zip(places, (0, 1, 2, 3, 4, 5, 6, 6.5)):  # the last one is the end
            self.assertAlmostEqual((place - places[0]) / step, steps, delta=2.5 / step)

    def film(self, path):
        done = subprocess.run([PROGRAM, "show", "m.lia", "--until", "1", "-o", "a.mp4"], cwd=self.folder, env=os.environ | {"PATH": path},
                              capture_output=True, text=True, timeout=LIMIT)
        return done.returncode, done.stdout, done.stderr

    def test_a_film_of_another_program(self):
        self.write(THROWN)
        (self.folder / "bin").mkdir()
        encoder, path = self.folder / "bin" / "ffmpeg", f"{self.folder}/bin:/usr/bin:/bin"
        code, out, err = self.film(str(self.folder / "nothing"))
        self.assertEqual((code, out), (3, ""))
        self.assertEqual(err, "a.mp4: error: films of this kind are made by the program `ffmpeg`, which is not there [L0513]\n"
                              "   hint: install `ffmpeg`; -o FILE.gif needs no other program\n")
        encoder.write_text("#!/bin/sh\necho \"$@\" > said\ncat > pixels\nfor file; do :; done\necho film > \"${file#file:}\"\n")
        encoder.chmod(0o755)
        code, out, err = self.film(path)
        self.assertEqual((code, err), (0, ""))
        said = (self.folder / "said").read_text().split()
        width, height = map(int, said[said.index("-s") + 1].split("x"))
        self.assertRegex(said[-1], r"^file:\.film\.\w{6}$")
        self.assertEqual((self.folder / "a.mp4").read_text(), "film\n")
        self.assertEqual((self.folder / "a.mp4").stat().st_mode, (self.folder / "said").stat().st_mode)
        self.assertEqual(sorted(one.name for one in self.folder.iterdir()), ["a.mp4", "bin", "m.lia", "pixels", "said"])
        pixels = (self.folder / "pixels").read_bytes()
        self.assertEqual(len(pixels), 91 * 3 * width * height)
        self.assertNotEqual(pixels[:3 * width * height], pixels[-3 * width * height:])
        for script, reason in (("head -c 100 > pixels\necho first >&2\necho no such codec >&2\nexit 4", "no such codec"),
                               ("exit 4", "it ended with 4"), ("kill -9 $$", "it was ended by signal 9"),
                               ("for file; do :; done\necho part > \"${file#file:}\"\nexit 5", "it ended with 5"),
                               ("cat > pixels", "it said that all went well, and wrote nothing"),
                               ("for file; do :; done\nrm \"${file#file:}\"", "it said that all went well, and wrote nothing")):
            encoder.write_text(f"#!/bin/sh\n{script}\n")
            code, out, err = self.film(path)
            self.assertEqual((code, out), (3, ""))
            self.assertEqual(err, f"a.mp4: error: `ffmpeg` made no film: {reason} [L0513]\n   hint: -o FILE.gif needs no other program\n")
            self.assertEqual((self.folder / "a.mp4").read_text(), "film\n", script)  # the film that was there
            self.assertEqual(sorted(one.name for one in self.folder.iterdir()), ["a.mp4", "bin", "m.lia", "pixels", "said"])

    def test_a_film_behind_a_link(self):
        self.write(THROWN)
        (self.folder / "bin").mkdir()
        encoder, path = self.folder / "bin" / "ffmpeg", f"{self.folder}/bin:/usr/bin:/bin"
        write = "#!/bin/sh\ncat > /dev/null\nfor file; do :; done\necho film > \"${file#file:}\"\n"
        (self.folder / "b.mp4").write_text("old")
        (self.folder / "a.mp4").symlink_to("b.mp4")
        for script, kept in ((write + "exit 1\n", "old"), (write, "film\n")):
            encoder.write_text(script)
            encoder.chmod(0o755)
            self.assertEqual(self.film(path)[0], 0 if script == write else 3)
            self.assertTrue((self.folder / "a.mp4").is_symlink())
            self.assertEqual((self.folder / "b.mp4").read_text(), kept)
        self.assertEqual(sorted(one.name for one in self.folder.iterdir()), ["a.mp4", "b.mp4", "bin", "m.lia"])

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not installed")
    def test_a_compressed_film(self):
        self.write(THROWN)
        code, out, err = self.film(os.environ["PATH"])
        self.assertEqual((code, err), (0, ""))
        film = (self.folder / "a.mp4").read_bytes()
        self.assertEqual(film[4:8], b"ftyp")
        self.assertLess(film.index(b"moov"), film.index(b"mdat"))

    def test_what_is_refused(self):
        self.write(THROWN)
        for arguments, message in ((("-o", "a.webm", "--until", "1"), "a film is written as .gif or .mp4, not as .webm"),
                                   (("-o", "a.txt"), "a picture ends in .html, .svg, .png, .gif, .mp4 or .json"),
                                   (("-o", "a.gif"), "a film needs a motion"), (("-o", "a-%2d.png"), "a film needs a motion"), (("--every", "1"), "one state has no rows"),
                                   (("--view", "3"), "two angles are expected"), (("--view", "0, 91"), "between -90 and 90"),
                                   (("--until", "1", "-o", "a.gif", "--speed", "0"), "a speed is positive"), (("--until", "1", "-o", "a.gif", "--speed", "-1"), "a speed is positive"),
                                   (("--until", "1", "-o", "a.mp4", "--speed", "nan"), "a speed is positive"), (("--until", "1", "--speed", "1"), "films alone have a speed"),
                                   (("--until", "1", "-o", "a.png", "--speed", "1"), "films alone have a speed"),
                                   (("--until", "1", "-o", "a.gif", "--speed", "0.001"), "the film would have 15001 pictures, and at most 1000 are made"),
                                   (("--until", "1", "-o", "a-%02d.png", "--speed", "0.001"), "the film would have 15001 pictures, and at most 5000 are made"),
                                   (("--until", "1", "-o", "a.gif", "--speed", "100"), "a film of 0.01 s has no second picture: there are 15 in a second"),
                                   (("--until", "-1"), "the run would end at -1"), (("--until", "soon"), "--until"),
                                   (("-o", "m.lia"), "a picture ends in"), (("--at", "z = 1"), "z"),
                                   (("--until", "1", "--integrator", "euler"), "no integrator")):
            code, out, err = self.run_in("show", "m.lia", *arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertIn(message, err)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["m.lia"])

    def test_a_size_needs_a_value(self):
        self.write("param R\n" + THROWN + "shape P disc radius R\n")
        code, _, err = self.run_in("show", "m.lia")
        self.assertEqual(code, 2)
        self.assertIn("the parameter `R` has no value [L0502]", err)
        self.assertEqual(self.run_in("show", "m.lia", "--set", "R = 1")[0], 0)
        self.assertIn("m.lia:7:1: error: the size `R` of this disc is -1, and not positive [L0505]", self.run_in("show", "m.lia", "--set", "R = -1")[2])

    def test_meshes_of_files(self):
        model = "coord x\nbody B mass 1 inertia [1, 1, 1] at [x, 0, 0] turned z 0\nshape B mesh \"part.{}\" scale 2\n"
        (self.folder / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1/1 -1/2 2\n")
        (self.folder / "part.stl").write_bytes(bytes(80) + struct.pack("<I", 1) + struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0))
        for ending, faces, top in (("obj", 2, 2), ("stl", 1, 6)):
            code, out, err = self.run_model(model.format(ending), "show", "--json")
            self.assertEqual((code, err), (0, ""))
            mesh = Scene(out).one("solids", kind="mesh")["mesh"]
            self.assertEqual((len(mesh["f"]), max(mesh["v"])), (faces, top))
        (self.folder / "part.stl").write_bytes(bytes(80) + struct.pack("<I", 9))
        code, _, err = self.run_model(model.format("stl"), "show")
        self.assertEqual(code, 2)
        self.assertIn("m.lia:3:1: error: the mesh part.stl: it ends before its last triangle", err)
        # and before a run whose page has it: nothing is written
        code, out, err = self.run_in("simulate", "m.lia", "--until", "1", "-o", "run.csv", "--plot", "run.html")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("m.lia:3:1: error: the mesh part.stl: it ends before its last triangle", err)
        self.assertFalse((self.folder / "run.csv").exists())
        self.assertEqual(self.run_in("simulate", "m.lia", "--until", "1", "--plot", "run.svg")[0], 0)  # which has no picture


if __name__ == "__main__":
    unittest.main()
