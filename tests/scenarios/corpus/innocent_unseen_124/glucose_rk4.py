# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(18)


def true_rate(s):
    g, i = s[:, 0], s[:, 1]
    return torch.stack([-0.3 * g * i + 0.1, 0.4 * g - 0.5 * i], 1)


class Rate(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2, 12), nn.SiLU(), nn.Linear(12, 2))

    def forward(self, s):
        return self.f(s)


def rk4(rate, s, h):
    k1 = rate(s)
    k2 = rate(s + h / 2 * k1)
    k3 = rate(s + h / 2 * k2)
    k4 = rate(s + h * k3)
    return s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class Simulator:
    def __init__(self, rate, h=0.2):
        self.rate, self.h = rate, h
        self.trail = []

    def run(self, s, n):
        self.trail = [s]
        for _ in range(n):
            self.trail.append(rk4(self.rate, self.trail[-1], self.h))
        return torch.stack(self.trail[1:], 1)


model = Simulator(Rate())
world = Simulator(true_rate)
opt = torch.optim.Adam(model.rate.parameters(), lr=4e-3)
for patient in range(420):
    start = torch.rand(10, 2) * 2
    loss = (model.run(start, 5) - world.run(start, 5)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if patient % 84 == 0:
        print(patient, f"{loss.item():.5f}", model.trail[-1][0].tolist())
