"""Models of MuJoCo: what `liaison import` writes, against the accelerations that MuJoCo computes from the same files.

usage: mjcf.py [--program LIAISON] [--states N] (--table | [--write FILE] MODEL.xml ...)

Runs where the package `mujoco` is installed; `./dev bench robots` installs it. Equalities are rigid here: from MuJoCo come the
masses, the forces and the Jacobians with their rates, and the accelerations solve its equations with the constraints kept
exactly, which MuJoCo itself keeps softly. Contacts, limits and friction are switched off. `--write` keeps states and
accelerations for tests/robot/test_mjcf.py.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

# Of the packages; not those in a fluid, with tendons that pull, with bodies of meshes, or without a body that moves.
MODELS = {
    "gymnasium": ("envs/mujoco/assets", ("ant", "half_cheetah", "hopper", "humanoid", "inverted_double_pendulum", "pusher_v5", "reacher", "walker2d_v5")),
    "dm_control": ("suite", ("acrobot", "ball_in_cup", "cartpole", "finger", "humanoid", "humanoid_CMU", "walker")),
}
LIMIT = 1e-9
ROOT = pathlib.Path(__file__).resolve().parent.parent


def name_all(mujoco, spec):
    """Names what has none as `liaison import` does."""
    taken = set()

    def take(wanted):
        name, number = wanted, 2
        while name in taken:
            name, number = f"{wanted}_{number}", number + 1
        taken.add(name)
        return name

    kinds = {mujoco.mjtJoint.mjJNT_HINGE: "_hinge", mujoco.mjtJoint.mjJNT_SLIDE: "_slide", mujoco.mjtJoint.mjJNT_BALL: "_ball"}
    for index, body in enumerate(spec.bodies):
        body.name = body.name or f"body{index}"
        for joint in body.joints:
            joint.name = take(joint.name or body.name + kinds.get(joint.type, ""))
    for actuator in spec.actuators:
        actuator.name = actuator.name or actuator.target + "_motor"


class Peer:
    """A model in MuJoCo."""

    def __init__(self, path):
        import mujoco
        import numpy

        self.mj, self.np = mujoco, numpy
        spec = mujoco.MjSpec.from_file(str(path))
        name_all(mujoco, spec)
        self.model = spec.compile()
        flags = mujoco.mjtDisableBit
        for flag in (flags.mjDSBL_CONTACT, flags.mjDSBL_LIMIT, flags.mjDSBL_FRICTIONLOSS, flags.mjDSBL_CLAMPCTRL):
            self.model.opt.disableflags |= flag
        self.data = mujoco.MjData(self.model)

    def relations(self):
        """Residual, Jacobian and its rate times the velocity, of all equalities that are active, at the state of the data."""
        np, mj, m, d = self.np, self.mj, self.model, self.data
        residual, rows, rates = [], [], []

        def point(body, local):
            at = d.xpos[body] + d.xmat[body].reshape(3, 3) @ local
            jac, turn, jac_rate, turn_rate = (np.zeros((3, m.nv)) for _ in range(4))
            mj.mj_jac(m, d, jac, turn, at, body)
            mj.mj_jacDot(m, d, jac_rate, turn_rate, at, body)
            return at, jac, jac_rate @ d.qvel, turn, turn_rate @ d.qvel

        for i in range(m.neq):
            if not m.eq_active0[i]:
                continue
            kind, first, second, data = m.eq_type[i], m.eq_obj1id[i], m.eq_obj2id[i], m.eq_data[i]
            if kind == mj.mjtEq.mjEQ_JOINT:
                row, rate = np.zeros(m.nv), 0.0
                row[m.jnt_dofadr[first]] = 1
                value = d.qpos[m.jnt_qposadr[first]] - m.qpos0[m.jnt_qposadr[first]] - data[0]
                if second >= 0:
                    x = d.qpos[m.jnt_qposadr[second]] - m.qpos0[m.jnt_qposadr[second]]
                    v = d.qvel[m.jnt_dofadr[second]]
                    value -= sum(data[k] * x**k for k in range(1, 5))
                    row[m.jnt_dofadr[second]] = -sum(k * data[k] * x ** (k - 1) for k in range(1, 5))
                    rate = -sum(k * (k - 1) * data[k] * x ** (k - 2) for k in range(2, 5)) * v * v
                residual.append([value])
                rows.append([row])
                rates.append([rate])
                continue
            weld = kind == mj.mjtEq.mjEQ_WELD
            a = point(first, data[3:6] if weld else data[0:3])
            b = point(second, data[0:3] if weld else data[3:6])
            residual.append(a[0] - b[0])
            rows.append(a[1] - b[1])
            rates.append(a[2] - b[2])
            if weld:
                wanted, apart, back = np.zeros(4), np.zeros(4), np.zeros(4)
                mj.mju_mulQuat(wanted, d.xquat[first], data[6:10])
                mj.mju_negQuat(back, d.xquat[second])
                mj.mju_mulQuat(apart, wanted, back)  # on the axes of space
                residual.append(2 * apart[1:] * np.sign(apart[0]))
                rows.append(a[3] - b[3])
                rates.append(a[4] - b[4])
        if not rows:
            return np.zeros(0), np.zeros((0, m.nv)), np.zeros(0)
        return np.concatenate(residual), np.vstack(rows), np.concatenate(rates)

    def random_state(self, choice):
        """A state near the one of rest that keeps the equalities, with random velocities and inputs."""
        np, mj, m, d = self.np, self.mj, self.model, self.data
        d.qpos[:] = m.qpos0
        mj.mj_integratePos(m, d.qpos, np.array([choice.uniform(-0.7, 0.7) for _ in range(m.nv)]), 1)
        d.qvel[:] = [choice.uniform(-1, 1) for _ in range(m.nv)]
        d.ctrl[:] = [choice.uniform(-0.5, 0.5) for _ in range(m.nu)]
        for _ in range(50):
            mj.mj_forward(m, d)
            residual, rows, _ = self.relations()
            if not len(residual) or abs(residual).max() < 1e-16:
                break
            mj.mj_integratePos(m, d.qpos, -np.linalg.lstsq(rows, residual, rcond=1e-9)[0], 1)
        mj.mj_forward(m, d)
        _, rows, _ = self.relations()
        if len(rows):
            d.qvel[:] -= np.linalg.lstsq(rows, rows @ d.qvel, rcond=1e-9)[0]
        mj.mj_forward(m, d)

    def accelerations(self):
        np, mj, m, d = self.np, self.mj, self.model, self.data
        mass = np.zeros((m.nv, m.nv))
        mj.mj_fullM(m, d, mass)
        # qfrc_smooth holds all forces but those of constraints.
        force = d.qfrc_passive - d.qfrc_bias + d.qfrc_applied + d.qfrc_actuator - m.dof_frictionloss * np.sign(d.qvel)
        _, rows, rates = self.relations()
        free = np.linalg.solve(mass, force)
        if not len(rows):
            return free
        along = np.linalg.solve(mass, rows.T)
        factors = np.linalg.lstsq(rows @ along, -rates - rows @ free, rcond=1e-9)[0]
        return free + along @ factors

    def state(self):
        """{joint: {q, v, a}} and {actuator: input}."""
        m, d = self.model, self.data
        found, joints = self.accelerations(), {}
        sizes = {0: (7, 6), 1: (4, 3), 2: (1, 1), 3: (1, 1)}
        for i in range(m.njnt):
            nq, nv = sizes[int(m.jnt_type[i])]
            q, v = m.jnt_qposadr[i], m.jnt_dofadr[i]
            joints[m.joint(i).name] = {"q": list(map(float, d.qpos[q : q + nq])), "v": list(map(float, d.qvel[v : v + nv])), "a": list(map(float, found[v : v + nv]))}
        return {"joints": joints, "inputs": {m.actuator(i).name: float(d.ctrl[i]) for i in range(m.nu)}}


def run(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"mjcf: {' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def compare(program, path, states):
    """The largest difference of an acceleration, by the largest one of its state."""
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model.lia"
        answer = json.loads(run([program, "import", path, "--json", "-o", model]))
        names = answer["coordinates"]
        text = model.read_text(encoding="utf-8")
        for state in states:
            written = text
            for name, value in state["inputs"].items():
                written, count = re.subn(rf"(?m)^(input {answer['inputs'][name]} =) \S+", rf"\1 {value!r}", written)
                if count != 1:
                    raise SystemExit(f"mjcf: no input {name} in the model of {path}")
            model.write_text(written, encoding="utf-8")
            at, pairs = [], []
            for joint, values in state["joints"].items():
                parts = names[joint]
                if len(values["v"]) == 1:
                    at += [f"{parts[0]} = {values['q'][0]!r}", f"{parts[0]}' = {values['v'][0]!r}"]
                    pairs.append((parts[0], values["a"][0]))
                    continue
                ways = 3 if len(values["v"]) == 6 else 0
                for k in range(ways):
                    at += [f"{parts[k + 1]} = {values['q'][k]!r}", f"{parts[k + 1]}' = {values['v'][k]!r}"]
                at += [f"{parts[0]}_e{k} = {values['q'][ways + k]!r}" for k in range(4)]
                at += [f"{parts[ways + 1 + k]} = {values['v'][ways + k]!r}" for k in range(3)]
                pairs += [(parts[k + 1], a) for k, a in enumerate(values["a"])]
            found = json.loads(run([program, "eval", model, "--json", "--project", "--at", ", ".join(at)]))["acceleration"]
            size = max(abs(value) for _, value in pairs)
            worst = max(worst, *(abs(found[name] - value) / size for name, value in pairs))
    return worst


def states_of(path, count, seed=7):
    peer, choice, out = Peer(path), random.Random(seed), []
    for _ in range(count):
        peer.random_state(choice)
        out.append(peer.state())
    return out


def table(program, count):
    """A line for each model of the packages; whether all agree."""
    import importlib.util

    agree = True
    for package, (folder, names) in MODELS.items():
        home = pathlib.Path(importlib.util.find_spec(package).origin).parent / folder
        for name in names:
            states = states_of(home / f"{name}.xml", count)
            worst = compare(program, home / f"{name}.xml", states)
            agree = agree and worst < LIMIT
            print(f"| {name} | {package} | {len(states[0]['joints'])} | {worst:.1e} |", flush=True)
    return agree


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", nargs="*", type=pathlib.Path)
    options.add_argument("--program", type=pathlib.Path, default=ROOT / "build/liaison")
    options.add_argument("--states", type=int, default=5)
    options.add_argument("--write", type=pathlib.Path, help="keep the states and what MuJoCo computes at them")
    options.add_argument("--table", action="store_true", help="the models of the packages gymnasium and dm_control")
    chosen = options.parse_args()
    if chosen.table:
        return 0 if table(chosen.program, chosen.states) else 1
    if not chosen.files:
        options.error("name models, or --table")
    kept, wrong = {}, False
    for path in chosen.files:
        states = kept[path.name] = states_of(path, chosen.states)
        worst = compare(chosen.program, path, states)
        wrong = wrong or not worst < LIMIT
        joints = len(states[0]["joints"])
        print(f"{path.name}: {joints} joint{'s' if joints != 1 else ''}, largest difference {worst:.1e}", flush=True)
    if chosen.write:
        chosen.write.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
