"""The pages that the browser opens: of every kind the program writes, of small models and of large ones."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODELS = ROOT / "models"

# Models whose mechanism is shown, with the end of the motion.
SCENES = {
    "double_pendulum": ("classics/double_pendulum", 5), "four_bar": ("classics/four_bar", 3), "tilting_disc": ("classics/tilting_disc", 4),
    "spinning_top": ("classics/spinning_top", 1), "gyroscope_in_gimbals": ("bodies/gyroscope_in_gimbals", 0.5), "excavator": ("bodies/excavator", 0.4),
    "planetary_gear": ("bodies/planetary_gear", 0.4), "quarter_car": ("bodies/quarter_car", 1), "stewart_platform": ("bodies/stewart_platform", 0.5),
    "bricard_mechanism": ("mbs/bricard_mechanism", 2), "tippe_top": ("contacts/tippe_top", 1), "billiard": ("contacts/billiard_ball_with_spin", 1),
}
DERIVED = ["tutorial/pendulum", "classics/rolling_disc", "classics/double_pendulum", "classics/tilting_disc", "classics/bicycle", "classics/four_bar",
           "contacts/table_on_four_legs", "bodies/gyroscope_in_gimbals", "gallissot/two_contacts_that_begin_to_slip"]
ANALYSED = ["classics/double_pendulum", "classics/kepler", "integrable/trailer", "integrable/kovalevskaya_top"]
PLOTS = {
    "run": ["simulate", "classics/double_pendulum", "--until", "5"],
    "run_of_a_disc": ["simulate", "classics/tilting_disc", "--until", "6"],
    "run_with_contacts": ["simulate", "contacts/brick_on_belt", "--until", "6", "--every", "0.02"],
    "run_with_impacts": ["simulate", "contacts/newtons_cradle", "--until", "2"],
    "run_of_a_robot": ["simulate", "bodies/six_joint_arm", "--until", "1"],
    "section": ["simulate", "classics/double_pendulum", "--until", "60", "--every", "0.02", "--xy", "theta2, theta2'", "--section", "theta1 = 0"],
    "map": ["motions", "contacts/sliding_rod", "--touching", "floor", "--scan", "theta = 0.1:1.5:15, f = 0:3:12"],
    "chart": ["stability", "classics/bicycle", "--scan", "v = 0:10:21"],
}


# Names of several letters in every formula.
LONG_NAMES = """param load = 1, boom_length = 2, stick_length = 1, gravity = 9.81
coord boom, stick, bucket
particle P mass load at [boom_length*cos(boom) + stick_length*cos(boom + stick) + cos(boom + bucket + stick), boom_length*sin(boom) + stick_length*sin(boom + stick) + sin(boom + bucket + stick)]
kinetic bucket'^2/2 + stick'^2/2 + load*boom'*stick'
force boom = -2*boom_length*stick'*boom'
potential 2100*load*gravity*cos(boom)*sin(boom + bucket + stick) + load*gravity*boom_length*stick_length*cos(boom)*sin(boom + bucket + stick)*cos(bucket)
"""


def write_long_names(program, folder):
    model = folder / "long_names.lia"
    model.write_text(LONG_NAMES, encoding="utf-8")
    return write_document(program, "derive", model.with_suffix(""), folder)


# A heavy pendulum that carries a light one: their rods pull with forces that are five thousand to one.
UNLIKE_FORCES = """param g = 9.81 [m/s^2], M = 5000 [kg], m = 1 [kg], d = 2 [m], l = 1 [m]
coord x [m], y [m], u [m], v [m]
particle A mass M at [x, y]
particle B mass m at [u, v]
gravity [0, -g]
constraint heavy: (x + d)^2 + y^2 = l^2
constraint light: (u - d)^2 + v^2 = l^2
start x = -1.5, y = -0.8660254037844386, u = 2.5, v = -0.8660254037844386
"""
# A particle has no size and is a dot; a wheel that rolls a hundred of its radii is followed, one that rolls six is not.
THROWN = """param g = 9.81 [m/s^2], m = 1 [kg]
coord x [m], y [m]
particle P mass m at [x, y]
gravity [0, -g]
start x' = 3, y' = 9.81
"""
THROWN_IN_SPACE = """param g = 9.81 [m/s^2], m = 1 [kg]
coord x [m], y [m], z [m]
particle P mass m at [x, y, z]
gravity [0, 0, -g]
start x' = 3, z' = 9.81
"""
WHEEL = """param R = 1
coord x, phi
body B mass 1 inertia 1/2 at [x, R] angle phi
constraint roll: x' + R*phi' = 0
shape B disc radius R
start x' = 5, phi' = -5
"""
GALLERY = ["classics/four_bar", "classics/rolling_disc", "contacts/newtons_cradle"]


def write_unlike_forces(program, folder):
    model, page = folder / "unlike.lia", folder / "unlike.html"
    model.write_text(UNLIKE_FORCES, encoding="utf-8")
    subprocess.run([program, "show", model, "--until", "1", "--project", "-o", page], check=True, capture_output=True)
    return page


def write_text(program, text, folder, *options):
    model, page = folder / "text.lia", folder / "text.html"
    model.write_text(text, encoding="utf-8")
    subprocess.run([program, "show", model, *options, "-o", page], check=True, capture_output=True)
    return page


def write_gallery(program, folder):
    subprocess.run([sys.executable, ROOT / "tools" / "make_gallery.py", program, folder / "gallery", *GALLERY], check=True, capture_output=True)
    return folder / "gallery" / "index.html"


def write_scene(program, name, folder):
    model, until = SCENES[name]
    page = folder / f"show_{name}.html"
    subprocess.run([program, "show", MODELS / f"{model}.lia", "--until", str(until), "-o", page], check=True, capture_output=True)
    return page


def write_document(program, command, model, folder):
    page = folder / f"{command}_{pathlib.Path(model).name}.html"
    subprocess.run([program, command, MODELS / f"{model}.lia", "-o", page], check=True, capture_output=True)
    return page


def write_plot(program, name, folder):
    command, model, *options = PLOTS[name]
    page = folder / f"plot_{name}.html"
    subprocess.run([program, command, MODELS / f"{model}.lia", *options, "--plot", page], check=True, capture_output=True)
    return page
