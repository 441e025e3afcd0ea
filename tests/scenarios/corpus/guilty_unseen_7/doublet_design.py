# gradwatch-corpus: kind=graph-held
# holder: plan | plan.origin | task | task.origin | previous | acc | node
# first-bad: 1
"""Achromatic doublet: optimise four curvatures and two gaps by ray tracing (meridional plane).

The optimisation passes an immutable plan object through a list of stages, as in our other tools.
"""
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Optional

import torch

torch.manual_seed(0)
LINES = {"C": (1.5143, 1.6656), "d": (1.5168, 1.6727), "F": (1.5224, 1.6900)}


@dataclass(frozen=True)
class Plan:
    round: int
    merit: Optional[torch.Tensor] = None
    spots: dict = field(default_factory=dict)
    damping: float = 1.0
    origin: Optional["Plan"] = None


class Doublet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.curv = torch.nn.Parameter(torch.tensor([0.016, -0.020, -0.005, 0.001]))
        self.gap = torch.nn.Parameter(torch.tensor([6.0, 3.0]))
        self.back = torch.nn.Parameter(torch.tensor(95.0))

    def refract(self, y, u, c, n1, n2):
        sag = 0.5 * c * y ** 2
        tilt = torch.asin((c * y).clamp(-0.9, 0.9))
        i1 = u + tilt
        i2 = torch.asin((n1 / n2 * torch.sin(i1)).clamp(-0.99, 0.99))
        return y, i2 - tilt, sag

    def forward(self, heights, field_angle):
        hits = {}
        for line, (na, nb) in LINES.items():
            y, u = heights, torch.full_like(heights, field_angle)
            idx = [1.0, na, nb, 1.0]
            gaps = [self.gap[0], self.gap[1], self.back]
            for s in range(3):
                y, u, sag = self.refract(y, u, self.curv[s], idx[s], idx[s + 1])
                y = y + torch.tan(u) * (gaps[s] - sag)
            hits[line] = y
        return hits


lens = Doublet()
opt = torch.optim.Adam([{"params": [lens.curv], "lr": 2e-5}, {"params": [lens.gap], "lr": 1e-2},
                        {"params": [lens.back], "lr": 5e-2}])
pupil = torch.linspace(-8, 8, 41)
STAGES = []


def stage(fn):
    STAGES.append(fn)
    return fn


@stage
def trace(task):
    spots = {a: lens(pupil, a) for a in (0.0, 0.012, 0.025)}
    return replace(task, spots=spots)


@stage
def judge(task):
    blur = 0.0
    for angle, hits in task.spots.items():
        center = hits["d"].mean()
        blur = blur + sum(((h - center) ** 2).mean() for h in hits.values())
    glass = torch.relu(2.0 - lens.gap).sum()
    return replace(task, merit=blur + task.damping * glass)


@stage
def move(task):
    opt.zero_grad()
    task.merit.backward()
    opt.step()
    return task


@stage
def settle(task):
    previous = task.origin
    if previous is not None and previous.merit is not None and task.merit > previous.merit:
        return replace(task, damping=min(4.0, task.damping * 1.01))
    return task


plan = Plan(round=0)
for n in range(420):
    plan = reduce(lambda acc, fn: fn(acc), STAGES, replace(plan, round=n, origin=plan))  # <- culprit
    if n % 70 == 0:
        print(f"round {plan.round:3d} merit {plan.merit.item():.5f} damping {plan.damping:.2f} "
              f"curv {[round(c, 5) for c in lens.curv.tolist()]}")

best, node = plan.merit, plan
while node is not None:
    if node.merit is not None and node.merit < best:
        best = node.merit
    node = node.origin
print("best merit seen %.5f, back focus %.2f" % (best.item(), lens.back.item()))
