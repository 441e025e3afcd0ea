# gradwatch-corpus: kind=none
# Differentiable kiln simulation; the controller is tuned through the last few minutes of heat.
from collections import deque

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(2024)

HORIZON = 6
AMBIENT, LOSS_RATE, GAIN = 0.0, 0.06, 0.3


class Burner(nn.Module):
    def __init__(self):
        super().__init__()
        self.law = nn.Sequential(nn.Linear(3, 10), nn.Tanh(), nn.Linear(10, 1), nn.Sigmoid())

    def forward(self, temp, goal, rate):
        return self.law(torch.stack([temp, goal, rate])).squeeze()


def kiln(temp, fuel):
    return temp + GAIN * fuel - LOSS_RATE * (temp - AMBIENT)


burner = Burner()
opt = torch.optim.Adam(burner.parameters(), lr=3e-3)
recent = deque(maxlen=HORIZON)
temp, prev = torch.tensor(0.0), torch.tensor(0.0)

minute, updates = 0, 0
while updates < 800:
    goal = torch.tensor(2.0 if (minute // 120) % 2 == 0 else 1.0)
    fuel = burner(temp, goal, temp - prev)
    prev, temp = temp, kiln(temp, fuel)
    recent.append((temp - goal) ** 2 + 0.01 * fuel ** 2)
    minute += 1
    if minute % HORIZON == 0:
        cost = torch.stack(list(recent)).mean()
        opt.zero_grad()
        cost.backward()
        opt.step()
        temp, prev = temp.detach(), prev.detach()
        updates += 1
        if updates % 100 == 0:
            print(f"{minute:5d} min  cost {cost.item():.4f}  temp {temp.item():.2f}")
