# gradwatch-corpus: kind=none
"""Receding-horizon vaccination: plan with a learned SIR residual, act, learn."""
import torch

from learner import Residual, Replay, fit_residual
from planner import plan
from world import World


def main():
    torch.manual_seed(2020)
    world = World(n_age=4)
    residual = Residual(n_age=4)
    replay = Replay(capacity=256)
    opt = torch.optim.Adam(residual.leaves(), lr=3e-3)
    warm = None
    spent = 0.0
    for day in range(80):
        control, warm, forecast = plan(world.snapshot(), residual, warm, horizon=6, sweeps=3)
        before = world.snapshot()
        after = world.act(control)
        replay.push(before, control, after)
        loss = fit_residual(residual, replay, opt, batch=32)
        spent += control.sum().item()
        if day % 10 == 0:
            print(f"day {day:3d} infected {after[:, 1].mean().item():.4f} forecast {forecast:.4f} fit {loss:.2e} doses {spent:.3f}")
        if day % 40 == 39:
            world.reset()
            warm = None


if __name__ == "__main__":
    main()
