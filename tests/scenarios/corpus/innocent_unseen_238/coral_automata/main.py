# gradwatch-corpus: kind=none
import random

import torch

from coral import CoralCell, drawing, seed_grid
from reef import Reef

torch.manual_seed(2020)
random.seed(2020)

CH = 8
SIDE = 12
STEPS = 80

cell = CoralCell(CH)
reef = Reef(size=32, make=lambda: seed_grid(CH, SIDE))
picture = drawing(SIDE)
opt = torch.optim.Adam(cell.parameters(), lr=2e-3)
notebook = {"loss": [], "frames": []}


def gap_each(g):
    return ((g[:, :3] - picture) ** 2).flatten(1).mean(1)


for step in range(STEPS):
    idx, grid = reef.take(4)
    order = gap_each(grid).argsort(descending=True)
    grid = grid[order]
    idx = [idx[i] for i in order.tolist()]
    grid[0] = seed_grid(CH, SIDE)

    frames = []
    for _ in range(random.randint(4, 8)):
        grid = cell(grid)
        frames.append(grid)

    late = sum(gap_each(f).mean() for f in frames[-2:]) / 2
    opt.zero_grad()
    late.backward()
    for p in cell.parameters():
        p.grad.div_(p.grad.norm() + 1e-8)
    opt.step()

    reef.put(idx, grid)
    notebook["loss"].append(late.item())
    notebook["frames"] = [f.detach()[0, 0] for f in frames]

    if step % 16 == 0:
        print("step", step, "gap %.4f" % notebook["loss"][-1], "frames", len(notebook["frames"]), "reef age", reef.oldest())

for row in notebook["frames"][-1].tolist():
    print("".join("@" if v > 0.4 else "." for v in row))
