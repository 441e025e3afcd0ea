# gradwatch-corpus: kind=none
"""Travel-time emulator with per-source gradients; a running diagonal Fisher estimate preconditions the step."""
import argparse

import torch
from torch import nn
from torch.func import functional_call
from torch.func import grad_and_value
from torch.func import vmap


class LayeredEarth:
    def __init__(self):
        self.gradient = 0.04
        self.surface = 4.0

    def travel_time(self, geometry):
        depth = geometry[:, 0] * 30
        offset = geometry[:, 1] * 100 + 1.0
        v1 = self.surface + self.gradient * depth
        arg = 1 + self.gradient ** 2 * (depth.square() + offset.square()) / (2 * self.surface * v1)
        return torch.acosh(arg) / self.gradient


class TravelTimeNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a = nn.Linear(3, width)
        self.b = nn.Linear(width, width)
        self.c = nn.Linear(width, 1)

    def forward(self, geometry):
        h = torch.tanh(self.a(geometry))
        h = h + torch.tanh(self.b(h))
        return self.c(h).squeeze(-1)


class FisherDescent:
    def __init__(self, net, rate, memory, damping):
        self.net = net
        self.rate = rate
        self.memory = memory
        self.damping = damping
        self.params = {name: p.detach().clone() for name, p in net.named_parameters()}
        self.fisher = {name: torch.zeros_like(p) for name, p in self.params.items()}
        self.count = 0
        self.per_source = vmap(grad_and_value(self.source_loss), in_dims=(None, 0, 0), randomness="error")

    def source_loss(self, params, geometry, time):
        predicted = functional_call(self.net, params, (geometry.unsqueeze(0),))
        return (predicted.squeeze(0) - time).square()

    def step(self, geometry, time):
        grads, losses = self.per_source(self.params, geometry, time)
        self.count += 1
        correction = 1 - self.memory ** self.count
        updated = {}
        for name, g in grads.items():
            self.fisher[name] = self.memory * self.fisher[name] + (1 - self.memory) * g.square().mean(dim=0)
            scale = (self.fisher[name] / correction).sqrt() + self.damping
            updated[name] = self.params[name] - self.rate * g.mean(dim=0) / scale
        self.params = updated
        return losses.mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--sources", type=int, default=64)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--rate", type=float, default=0.02)
    parser.add_argument("--memory", type=float, default=0.95)
    parser.add_argument("--damping", type=float, default=0.05)
    args = parser.parse_args()

    torch.manual_seed(12)
    earth = LayeredEarth()
    descent = FisherDescent(TravelTimeNet(args.width), args.rate, args.memory, args.damping)
    for number in range(args.steps):
        geometry = torch.rand(args.sources, 3)
        time = earth.travel_time(geometry) / 10
        loss = descent.step(geometry, time)
        if number % 25 == 0:
            print(f"{number:4d}  mean squared residual {loss:.5f}")
    total = sum(f.sum().item() for f in descent.fisher.values())
    print(f"Fisher trace {total:.4f}")


if __name__ == "__main__":
    main()
