# gradwatch-corpus: kind=inplace-modified
# first-bad: 8
# cave generator: a differentiable "smoothing" automaton learns to turn noise into caves like my hand drawn ones
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(33)
random.seed(33)

SIDE = 18
BATCH = 6
ROUNDS = 100
TIDY_EVERY = 9

state = {
    "rule": nn.Sequential(nn.Conv2d(1, 12, 3, padding=1), nn.Tanh(), nn.Conv2d(12, 1, 1)),
    "round": 0,
    "openness": 0.5,
    "log": [],
}
opt = torch.optim.Adam(state["rule"].parameters(), lr=5e-3)

wall_off = lambda m: F.pad(m[:, :, 1:-1, 1:-1], (1, 1, 1, 1), value=1.0)


def hand_drawn(n):
    maps = []
    for _ in range(n):
        m = torch.ones(SIDE, SIDE)
        r = SIDE // 2
        c = SIDE // 2
        for _ in range(90):
            m[r, c] = 0
            dr, dc = random.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
            r = min(SIDE - 2, max(1, r + dr))
            c = min(SIDE - 2, max(1, c + dc))
        maps.append(m)
    return torch.stack(maps).unsqueeze(1)


def erode(noise, times):
    cave = noise
    for _ in range(times):
        cave = torch.sigmoid(2 * (cave - 0.5) + state["rule"](cave))
    return cave


def carve_doors(cave):
    mid = SIDE // 2
    cave[:, :, mid, :2] = 0.0  # <- culprit
    return cave


def texture(m):
    near = F.avg_pool2d(m, 3, stride=1, padding=1)
    far = F.avg_pool2d(m, 5, stride=1, padding=2)
    return torch.stack([m.mean(), (m * near).mean(), (m * far).mean(), (near * far).mean()])


def walls_agree(cave):
    ring = torch.cat([cave[:, :, 0].flatten(), cave[:, :, -1].flatten()])
    return ((1 - ring) ** 2).mean()


while state["round"] < ROUNDS:
    n = state["round"]
    want = texture(hand_drawn(BATCH))
    cave = erode(torch.rand(BATCH, 1, SIDE, SIDE), times=3)
    if n % TIDY_EVERY == TIDY_EVERY - 1:
        cave = carve_doors(cave)  # <- culprit

    loss = 10 * F.mse_loss(texture(cave), want) + 0.1 * walls_agree(cave)
    opt.zero_grad()
    loss.backward()
    opt.step()

    state["openness"] = 1 - cave.mean().item()
    state["log"].append(loss.item())
    if n % 20 == 0:
        print("round", n, "loss %.4f" % state["log"][-1], "open %.2f" % state["openness"])
    state["round"] += 1

with torch.no_grad():
    final = wall_off(erode(torch.rand(1, 1, SIDE, SIDE), times=3))[0, 0]
for row in final.tolist():
    print("".join("#" if v > 0.5 else " " for v in row))
