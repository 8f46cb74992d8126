"""Robot files: what `liaison import` writes, against Pinocchio's forward dynamics on the same files; and how long a first step takes.

usage: robots.py [--program LIAISON] [--states N] (--data FOLDER | [--floating] [--hold JOINT] ROBOT.urdf ...)

Runs where Pinocchio is installed; `./dev bench robots` installs it with the robots of the package example-robot-data, and MuJoCo
with the models of gymnasium and dm_control, which mjcf.py compares.
"""

import argparse
import json
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- robots: begin -->", "<!-- robots: end -->"
LIMIT = 1e-9
# Robot, its file in the package, whether its root floats, joints that move nothing with a mass.
ROBOTS = (
    ("UR5", "ur_description/urdf/ur5_robot.urdf", False, ()),
    ("Kinova Mico", "kinova_description/robots/kinova.urdf", False, ()),
    ("Panda with its gripper", "panda_description/urdf/panda.urdf", False, ()),
    ("xArm 7", "xarm_description/urdf/xarm7.urdf", False, ()),
    ("Solo 12", "solo_description/robots/solo12.urdf", True, ()),
    ("Go2", "go2_description/urdf/go2.urdf", True, ()),
    ("Baxter", "baxter_description/urdf/baxter.urdf", False, ()),
    ("G1, 29 joints", "g1_description/urdf/g1_29dof_rev_1_0.urdf", False, ()),
    ("G1, 29 joints", "g1_description/urdf/g1_29dof_rev_1_0.urdf", True, ()),
    ("Talos", "talos_data/robots/talos_reduced.urdf", True, ()),
)


class Peer:
    """A robot in Pinocchio: joints with one coordinate, those that mimic others too, and perhaps a free root."""

    def __init__(self, path, floating, held=()):
        import numpy
        import pinocchio

        self.np, self.pin = numpy, pinocchio
        root = [pinocchio.JointModelFreeFlyer()] if floating else []
        self.model = pinocchio.buildModelFromUrdf(str(path), *root)
        self.floating = floating
        if held:
            fixed = [self.model.getJointId(name) for name in held]
            self.model = pinocchio.buildReducedModel(self.model, fixed, pinocchio.neutral(self.model))
        self.data = self.model.createData()
        self.mimics = mimics_of(path)
        first = 2 if floating else 1
        self.joints = {self.model.names[i]: self.model.joints[i] for i in range(first, self.model.njoints)}

    def own(self):
        return [name for name in self.joints if name not in self.mimics]

    def value(self, name, q):
        """(value, base joint, factor) of a joint, for coordinates q of those that move by themselves."""
        if name not in self.mimics:
            return q[name], name, 1.0
        other, factor, offset = self.mimics[name]
        value, base, inner = self.value(other, q)
        return factor * value + offset, base, factor * inner

    def accelerations(self, q, v, torque, base):
        """By name; `base` is place, rotation, velocity of the origin in space and rate on the axes of the body."""
        np = self.np
        model = self.model
        configuration, velocity = self.pin.neutral(model), np.zeros(model.nv)
        load, columns, rows = np.zeros(model.nv), self.own(), np.zeros((model.nv, len(self.own())))
        for name, joint in self.joints.items():
            value, other, factor = self.value(name, q)
            if joint.nq == 2:
                configuration[joint.idx_q : joint.idx_q + 2] = np.cos(value), np.sin(value)
            else:
                configuration[joint.idx_q] = value
            velocity[joint.idx_v] = factor * v[other]
            rows[joint.idx_v, columns.index(other)] = factor
            if name in torque:
                load[joint.idx_v] = torque[name]
        reduce = rows
        if self.floating:
            place, quaternion, speed, rate = base
            turn = self.pin.Quaternion(np.array([*quaternion[1:], quaternion[0]])).toRotationMatrix()
            configuration[:3] = place
            configuration[3:7] = [*quaternion[1:], quaternion[0]]
            velocity[:3], velocity[3:6] = turn.T @ np.array(speed), rate
            reduce = np.hstack([np.eye(model.nv)[:, :6], rows])
        # Damping and friction of the joints are forces here: Pinocchio leaves them out.
        damping, friction = self.resistance
        for name, joint in self.joints.items():
            rate_of_joint = velocity[joint.idx_v]
            load[joint.idx_v] -= damping.get(name, 0) * rate_of_joint + friction.get(name, 0) * np.sign(rate_of_joint)
        if self.mimics:
            mass = self.pin.crba(model, self.data, configuration)
            mass = np.triu(mass) + np.triu(mass, 1).T
            bias = self.pin.nonLinearEffects(model, self.data, configuration, velocity)
            found = np.linalg.solve(reduce.T @ mass @ reduce, reduce.T @ (load - bias))
        else:
            whole = self.pin.aba(model, self.data, configuration, velocity, load)
            found = [*whole[:6]] if self.floating else []
            found += [whole[self.joints[name].idx_v] for name in columns]
        out = {}
        if self.floating:
            w, u = np.array(rate), velocity[:3]
            out |= dict(zip(("x", "y", "z"), turn @ (np.array(found[:3]) + np.cross(w, u))))
            out |= dict(zip(("wx", "wy", "wz"), found[3:6]))
        return out, dict(zip(columns, found[6:] if self.floating else found))


def elements(path):
    import xml.etree.ElementTree as tree

    return tree.parse(path).getroot()


def mimics_of(path):
    found = {}
    for joint in elements(path).findall("joint"):
        mimic = joint.find("mimic")
        if mimic is not None and joint.get("type") != "fixed":
            found[joint.get("name")] = (mimic.get("joint"), float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0)))
    return found


def resistance_of(path):
    damping, friction = {}, {}
    for joint in elements(path).findall("joint"):
        dynamics = joint.find("dynamics")
        if dynamics is not None:
            damping[joint.get("name")] = float(dynamics.get("damping", 0))
            friction[joint.get("name")] = float(dynamics.get("friction", 0))
    return damping, friction


def output_of(command):
    """Standard output and processor time; ends this program where the other one fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"robots: {' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(program, path, floating, states, held=()):
    """The largest difference of an acceleration, by the largest acceleration of its state; joints; seconds to a first step."""
    peer = Peer(path, floating, held)
    peer.resistance = resistance_of(path)
    choice = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "robot.lia"
        options = [*(["--floating", "base"] if floating else []), *(f"--hold={name}" for name in held)]
        text, _ = output_of([program, "import", path, "--motors", "--json", "-o", model, *options])
        names = json.loads(text)["coordinates"]
        worst = 0.0
        for _ in range(states):
            q, v, torque = ({name: choice.uniform(-1, 1) for name in peer.own()} for _ in range(3))
            base = [[choice.uniform(-1, 1) for _ in range(n)] for n in (3, 4, 3, 3)]
            length = sum(part**2 for part in base[1]) ** 0.5
            base[1] = [part / length for part in base[1]]
            state = [f"{names[name][0]} = {q[name]!r}, {names[name][0]}' = {v[name]!r}" for name in q]
            slides = {name for name in q if peer.joints[name].shortname().startswith("JointModelP")}
            motors = [f"{names[n][0]}_{'force' if n in slides else 'torque'} = {torque[n]!r}" for n in torque]
            if floating:
                for axis, place, speed, rate in zip("xyz", base[0], base[2], base[3]):
                    state.append(f"base_{axis} = {place!r}, base_{axis}' = {speed!r}, base_w{axis} = {rate!r}")
                state += [f"base_e{i} = {part!r}" for i, part in enumerate(base[1])]
            found = json.loads(output_of([program, "eval", model, "--json", "--project", "--at", ", ".join(state), "--set", ", ".join(motors)])[0])
            root, joints = peer.accelerations(q, v, torque, base)
            pairs = [(found["acceleration"][names[name][0]], value) for name, value in joints.items()]
            pairs += [(found["acceleration"]["base_" + name], value) for name, value in root.items()]
            size = max(abs(value) for _, value in pairs)
            worst = max(worst, *(abs(a - b) / size for a, b in pairs))
        output_of([program, "import", path, "--smooth-friction", "0.001", "-o", model, *options])
        step = output_of([program, "simulate", model, "--until", "0.001"])[1]
        whole = output_of([program, "eval", model])[1]
    return worst, len(peer.own()), whole, step


def rows(program, data, states):
    """A line of the table for each robot; those that differ."""
    wrong = []
    for name, path, floating, held in ROBOTS:
        worst, joints, whole, step = compare(program, data / path, floating, states, held)
        if not worst < LIMIT:
            wrong.append(name)
        print(f"| {name} | {'free' if floating else 'fixed'} | {joints} | {worst:.1e} | {whole:.2f} s | {step:.2f} s |", flush=True)
    return wrong


def run(build, quick, commit):
    """Prints the table, and writes it to docs/benchmarks.md after a full run. Pinocchio is in the environment of the peers."""
    python, program = build / "venv/bin/python", build / "liaison"
    data = list(build.glob("venv/lib/python3*/site-packages/cmeel.prefix/share/example-robot-data/robots"))
    if not program.exists() or not python.exists() or not data:
        raise SystemExit(f"bench/run: no {program}, or no Pinocchio and example-robot-data beside it; ./dev bench installs them")
    done = subprocess.run([python, __file__, "--program", program, "--data", data[0], "--states", "2" if quick else "5"],
                          stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, end="")
    models = subprocess.run([python, ROOT / "bench/mjcf.py", "--program", program, "--states", "2" if quick else "5", "--table"],
                            stdout=subprocess.PIPE, text=True, check=False)
    print(models.stdout, end="")
    failed = done.returncode or models.returncode
    if not quick and not failed:
        page = ROOT / "docs/benchmarks.md"
        before, rest = page.read_text(encoding="utf-8").split(BEGIN)
        page.write_text(before + section(done.stdout, models.stdout, commit) + rest.split(END)[1], encoding="utf-8")
    return failed


def section(lines, models, commit):
    head = "| robot | root | joints | largest difference | `eval` | first step |\n|---|---|---|---|---|---|\n"
    table = "| model of MuJoCo | package | joints | largest difference |\n|---|---|---|---|\n" + models
    return f"{BEGIN}\n{head}{lines}\n{table}\nFive random states a robot, commit {commit}.\n{END}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", nargs="*", type=pathlib.Path)
    options.add_argument("--program", type=pathlib.Path, default=ROOT / "build/liaison")
    options.add_argument("--data", type=pathlib.Path, help="the folder `robots` of example-robot-data")
    options.add_argument("--states", type=int, default=10)
    options.add_argument("--floating", action="store_true", help="of the named files")
    options.add_argument("--hold", action="append", default=[], help="joints of the named files that carry no mass")
    chosen = options.parse_args()
    for path in chosen.files:
        worst, joints, whole, step = compare(chosen.program, path, chosen.floating, chosen.states, chosen.hold)
        print(f"{path.name}: {joints} joints, largest difference {worst:.1e}, eval {whole:.2f} s, first step {step:.2f} s")
    if chosen.files:
        return 0
    if chosen.data is None:
        sys.exit("robots: name files, or the folder of robots with --data")
    wrong = rows(chosen.program, chosen.data, chosen.states)
    for name in wrong:
        print(f"robots: {name} differs from Pinocchio by more than {LIMIT:g}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
