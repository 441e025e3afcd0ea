# gradwatch-corpus: kind=graph-held
# holder: pond.slots | self.slots | pond
# first-bad: 1
import random

import torch

from automaton import LizardCA
from pond import Pond
from target import blob_target

torch.manual_seed(8)
random.seed(8)

CHANNELS = 8
SIDE = 14
BATCH = 4
STEPS = 90

target = blob_target(SIDE)
ca = LizardCA(CHANNELS)
pond = Pond(CHANNELS, SIDE, n_slots=96)
opt = torch.optim.Adam(ca.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, 40, 0.5)


def visible_gap(grid):
    return ((grid[:, :4] - target) ** 2).mean(dim=(1, 2, 3))


for step in range(STEPS):
    where, grid = pond.scoop(BATCH)

    worst = int(visible_gap(grid).argmax())
    grid[worst] = pond.egg()

    for _ in range(random.randint(4, 7)):
        grid = ca(grid)

    loss = visible_gap(grid).mean() + 0.01 * (grid.abs() - 2).relu().mean()

    opt.zero_grad()
    loss.backward()
    for p in ca.parameters():
        p.grad /= p.grad.norm() + 1e-8
    opt.step()
    sched.step()

    pond.pour_back(where, grid)

    if step % 15 == 0:
        print(f"{step:4d} gap {loss.item():.4f} grown slots {pond.grown()}")

print("pond holds", len(pond.slots), "lizards")
