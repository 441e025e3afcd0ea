# gradwatch-corpus: kind=none
"""Fit the force law of a coupled pendulum clock: integrators by name, checkpointed stages, accumulated gradients."""
import torch

from clockwork import ForceLaw, Workbench
from integrators import INTEGRATORS

SETTINGS = {
    "integrator": "midpoint",
    "segments": 4,
    "steps": 6,
    "dt": 0.08,
    "swings": 12,
    "parts": 2,
    "rounds": 70,
    "lr": 0.01,
}


def main():
    torch.manual_seed(1656)
    bench = Workbench(pendulums=3)
    law = ForceLaw(pendulums=3, width=32)
    solver = INTEGRATORS[SETTINGS["integrator"]](law, SETTINGS["dt"])
    optimizer = torch.optim.Adam(law.parameters(), lr=SETTINGS["lr"])
    anneal = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, SETTINGS["rounds"])
    length = SETTINGS["segments"] * SETTINGS["steps"]
    for number in range(SETTINGS["rounds"]):
        optimizer.zero_grad()
        total = torch.zeros(())
        for _ in range(SETTINGS["parts"]):
            start, track = bench.swing(SETTINGS["swings"], length, SETTINGS["dt"])
            path = solver.trace(start, SETTINGS["segments"], SETTINGS["steps"])
            misfit = (path - track).pow(2).mean() / SETTINGS["parts"]
            misfit.backward()
            total += misfit.detach()
        optimizer.step()
        anneal.step()
        if number % 14 == 0:
            print(f"round {number:3d} misfit {total.item():.5f}")


if __name__ == "__main__":
    main()
