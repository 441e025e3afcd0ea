# gradwatch-corpus: kind=graph-chain
# holder: self._belief | controller._belief | self.controller._belief | belief
# first-bad: 1
"""Adaptive signal timing for a 12-junction arterial: learns to predict the queue pressure of the next cycle
and splits the green accordingly. Line-by-line port of SignalPlanner.cpp."""
import torch

from controller import BeliefController
from corridor import Corridor
from descent import MomentumDescent


class Planner:
    LOG_PERIOD = 55

    def __init__(self, junctions: int = 12, seed: int = 19):
        torch.manual_seed(seed)
        self.corridor = Corridor(junctions, seed)
        self.controller = BeliefController(self.corridor.sensors, hidden=20, phases=4)
        self.solver = MomentumDescent(self.controller.parameters(), rate=0.01, momentum=0.8)
        self.cumulated = 0.0

    def cycle(self) -> float:
        detectors = self.corridor.observe()
        pressure, split = self.controller.advance(detectors)
        nxt = self.corridor.apply(split.detach())
        error = (pressure - nxt).square().mean()
        balance = (split * torch.log(split * split.shape[1] + 1e-6)).sum(1).mean()
        objective = error + 0.01 * balance

        self.solver.clear()
        objective.backward(retain_graph=True)  # <- culprit
        self.solver.update()
        return error.item()

    def run(self, cycles: int) -> None:
        for n in range(1, cycles + 1):
            self.cumulated += self.cycle()
            if n % self.LOG_PERIOD == 0:
                print(f"cycle {n:4d}  mse {self.cumulated / self.LOG_PERIOD:.4f}  "
                      f"mean queue {self.corridor.mean_queue():.2f}")
                self.cumulated = 0.0


if __name__ == "__main__":
    Planner().run(220)
