"""A ball let go above a floor, by Siconos: event-driven, or in steps of Moreau and Jean. Prints one JSON line.

usage: siconos_ball.py event H UNTIL RESTITUTION | step H UNTIL RESTITUTION
"""

import json
import os
import sys
import time

import siconos.kernel as sk

GRAVITY, HEIGHT = 10, 5  # as in models/contacts/bouncing_ball.lia


def model_of(until, restitution):
    model = sk.NonSmoothDynamicalSystem(0, until)
    ball = sk.LagrangianLinearTIDS([HEIGHT, 0, 0], [0, 0, 0], [[1, 0, 0], [0, 1, 0], [0, 0, 0.4]])
    ball.setFExtPtr([-GRAVITY, 0, 0])
    model.insertDynamicalSystem(ball)
    relation = sk.LagrangianLinearTIR([[1, 0, 0]])
    model.link(sk.Interaction(sk.NewtonImpactNSL(restitution), relation), ball)
    return model, ball


def event_driven(model, step):
    simulation = sk.EventDriven(model, sk.TimeDiscretisation(0, step), 1)
    simulation.insertIntegrator(sk.LsodarOSI())
    simulation.insertNonSmoothProblem(sk.LCP(), sk.SICONOS_OSNSP_ED_IMPACT)
    simulation.insertNonSmoothProblem(sk.LCP(), sk.SICONOS_OSNSP_ED_SMOOTH_ACC)
    return simulation


def stepping(model, step):
    simulation = sk.TimeStepping(model, sk.TimeDiscretisation(0, step))
    simulation.insertIntegrator(sk.MoreauJeanOSI(0.5))
    simulation.insertNonSmoothProblem(sk.LCP())
    return simulation


def run(kind, step, until, restitution):
    began = time.process_time()
    model, ball = model_of(until, restitution)
    if kind == "event":
        simulation, impacts = event_driven(model, step), 0
        simulation.initialize()
        while simulation.hasNextEvent():
            simulation.advanceToEvent()
            impacts += simulation.eventsManager().nextEvent().getType() == 2
            simulation.processEvents()
    else:
        simulation, impacts = stepping(model, step), 0
        while simulation.hasNextEvent():
            simulation.computeOneStep()
            simulation.nextStep()
    return {"height": float(ball.q()[0]), "velocity": float(ball.velocity()[0]), "time": float(simulation.startingTime()),
            "impacts": impacts, "seconds": time.process_time() - began}


def main():
    kind, step, until, restitution = sys.argv[1], *map(float, sys.argv[2:5])
    # Siconos prints on the standard output of the process.
    answer = os.dup(1)
    os.dup2(2, 1)
    result = run(kind, step, until, restitution)
    os.write(answer, (json.dumps(result) + "\n").encode())


if __name__ == "__main__":
    main()
