# gradwatch-corpus: kind=graph-chain
# holder: self.temp | house.temp | self.hum | house.hum
# first-bad: 1
import math

import torch

from plant import Greenhouse

torch.manual_seed(8)
N_HOUSES = 16
MINUTES = 110
TARGET = 21.0
LR = 0.02


def outside_temperature(minute):
    return 8.0 + 4.0 * math.sin(2 * math.pi * minute / 110)


def init_gains():
    w = torch.randn(3, 2) * 0.1
    b = torch.zeros(2)
    w.requires_grad_(True)
    b.requires_grad_(True)
    return w, b


def stage_cost(temp, hum, heat, vent):
    comfort = ((temp - TARGET) / 5).pow(2).mean()
    mould = torch.relu(hum - 0.8).mean()
    energy = 0.05 * heat.mean() + 0.01 * vent.mean()
    return comfort + mould + energy


def descend(params, lr, clip=1.0):
    for p in params:
        g = p.grad
        n = g.norm()
        if n > clip:
            g = g * (clip / n)
        p.data -= lr * g
        p.grad = None


house = Greenhouse(N_HOUSES, seed=3)
w, b = init_gains()
track = []

for minute in range(MINUTES):
    obs = house.observe(TARGET)
    action = obs @ w + b
    heat, vent = house.apply(action, outside_temperature(minute))
    cost = stage_cost(house.temp, house.hum, heat, vent)
    cost.backward(retain_graph=True)  # <- culprit
    descend([w, b], LR)
    track.append((minute, cost.item(), house.temp.mean().item()))
    if minute % 20 == 0:
        print("minute %3d  cost %.4f  temp %.2f  hum %.3f" % (minute, track[-1][1], track[-1][2], house.hum.mean().item()))

worst = max(track, key=lambda row: row[1])
print("worst minute", worst[0], "cost", round(worst[1], 3))
print("gains", [[round(v, 3) for v in row] for row in w.tolist()])
