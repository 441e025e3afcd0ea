import torch
from torch import nn


class Server:
    def __init__(self, inputs):
        self.net = nn.Sequential(nn.Linear(inputs, 16), nn.Tanh(), nn.Linear(16, 1))
        self.control = [torch.zeros_like(p) for p in self.net.parameters()]
        self.velocity = [torch.zeros_like(p) for p in self.net.parameters()]
        self.rounds = []

    @torch.no_grad()
    def merge(self, reports, total, momentum=0.5):
        n = len(reports)
        drift = 0.0
        for k, p in enumerate(self.net.parameters()):
            step = sum(r["delta"][k] for r in reports) / n
            self.velocity[k] = momentum * self.velocity[k] + step
            p += self.velocity[k]
            self.control[k] = self.control[k] + sum(r["shift"][k] for r in reports) / total
            drift += step.norm().item()
        self.rounds.append({"loss": sum(r["loss"] for r in reports) / n, "drift": drift})
