# gradwatch-corpus: kind=none
"""Dissolved oxygen in lakes from weather, with a hand-written GRU run over many years."""
import argparse
import dataclasses
import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class LakeState:
    hidden: torch.Tensor
    oxygen: torch.Tensor
    day: int = 0

    def carried(self):
        return dataclasses.replace(self, hidden=self.hidden.detach(), oxygen=self.oxygen.detach())


class GatedUnit(nn.Module):
    def __init__(self, n_in, n_hidden):
        super().__init__()
        self.update = nn.Linear(n_in + n_hidden, n_hidden)
        self.reset = nn.Linear(n_in + n_hidden, n_hidden)
        self.candidate = nn.Linear(n_in + n_hidden, n_hidden)

    def forward(self, x, h):
        xh = torch.cat([x, h], dim=1)
        z = torch.sigmoid(self.update(xh))
        r = torch.sigmoid(self.reset(xh))
        c = torch.tanh(self.candidate(torch.cat([x, r * h], dim=1)))
        return (1 - z) * h + z * c


class LakeModel(nn.Module):
    def __init__(self, n_hidden):
        super().__init__()
        self.n_hidden = n_hidden
        self.unit = GatedUnit(4, n_hidden)
        self.exchange = nn.Linear(n_hidden, 2)

    def initial(self, n_lakes):
        return LakeState(torch.zeros(n_lakes, self.n_hidden), torch.full((n_lakes,), 10.0))

    def forward(self, weather, state):
        x = torch.cat([weather, state.oxygen.unsqueeze(1) / 10], dim=1)
        hidden = self.unit(x, state.hidden)
        reaeration, demand = self.exchange(hidden).unbind(dim=1)
        saturation = 14.6 - 0.3 * 10 * weather[:, 0]
        oxygen = state.oxygen + torch.sigmoid(reaeration) * (saturation - state.oxygen) - torch.sigmoid(demand)
        return LakeState(hidden, oxygen, state.day + 1)


class Climate:
    def __init__(self, n_lakes):
        self.n = n_lakes
        self.day = 0
        self.oxygen = torch.full((n_lakes,), 10.0)
        self.nutrients = torch.rand(n_lakes)

    def window(self, length):
        weather = []
        oxygen = []
        for _ in range(length):
            season = math.sin(2 * math.pi * self.day / 365)
            temperature = 1.0 + season + 0.1 * torch.randn(self.n)
            wind = torch.rand(self.n)
            light = 0.5 + 0.4 * season + 0.1 * torch.rand(self.n)
            saturation = 14.6 - 3.0 * temperature
            demand = self.nutrients * light.clamp(min=0)
            self.oxygen = self.oxygen + 0.3 * wind * (saturation - self.oxygen) - demand
            weather.append(torch.stack([temperature, wind, light], dim=1))
            oxygen.append(self.oxygen)
            self.day += 1
        return weather, oxygen


def train(args):
    climate = Climate(args.lakes)
    model = LakeModel(args.hidden)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    state = model.initial(args.lakes)
    for number in range(args.windows):
        weather, oxygen = climate.window(args.length)
        errors = []
        for w, o in zip(weather, oxygen):
            state = model(w, state)
            errors.append((state.oxygen - o).square().mean())
        loss = torch.stack(errors).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        state = state.carried()
        if number % 15 == 0:
            print(f"day {state.day:5d}  rmse {loss.item() ** 0.5:.3f} mg/L")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lakes", type=int, default=40)
    parser.add_argument("--hidden", type=int, default=24)
    parser.add_argument("--length", type=int, default=12)
    parser.add_argument("--windows", type=int, default=100)
    parser.add_argument("--lr", type=float, default=5e-3)
    options = parser.parse_args()
    torch.manual_seed(365)
    train(options)
