# gradwatch-corpus: kind=graph-chain
# holder: self.gain | controller.gain
# first-bad: 1
import csv
import io

import torch

from controller import AdaptiveGain
from plant import DriftingPlant


class CsvTable:
    def __init__(self, fields):
        self.buffer = io.StringIO()
        self.writer = csv.DictWriter(self.buffer, fields)
        self.writer.writeheader()

    def row(self, **kw):
        self.writer.writerow({k: f"{v:.5g}" for k, v in kw.items()})


def main(steps=600):
    torch.manual_seed(0)
    plant = DriftingPlant(seed=3)
    controller = AdaptiveGain([[0.1, 0.1]])
    table = CsvTable(["step", "cost", "grad", "k1", "k2"])
    best = float("inf")
    for step in range(steps):
        plant.drift()
        states = plant.sample_states()
        cost = plant.rollout_cost(states, controller.gain)
        norm = controller.adapt(cost)
        k1, k2 = controller.gain.detach().squeeze(0).tolist()
        table.row(step=step, cost=cost.item(), grad=norm, k1=k1, k2=k2)
        best = min(best, cost.item())
        if step % 150 == 0:
            print(f"{step:4d} cost {cost.item():.3f} best {best:.3f} K=({k1:.3f},{k2:.3f})")
    print(len(table.buffer.getvalue()), "bytes of log")


if __name__ == "__main__":
    main()
