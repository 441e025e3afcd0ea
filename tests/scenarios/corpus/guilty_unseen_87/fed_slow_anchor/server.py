import torch
from torch import nn

from client import ProximalObjective


class Server:
    def __init__(self, dim, classes, width, momentum):
        self.model = nn.Sequential(nn.Linear(dim, width), nn.ReLU(), nn.Linear(width, classes))
        self.momentum = momentum
        self.slow = {name: p.detach().clone() for name, p in self.model.named_parameters()}
        self.objective = ProximalObjective(self.slow)

    def _track(self):
        for name, p in self.model.named_parameters():
            self.slow[name] = torch.lerp(self.slow[name], p, self.momentum)  # <- culprit

    def run_client(self, client, local_steps, lr):
        opt = torch.optim.SGD(self.model.parameters(), lr=lr)
        total = 0.0
        for x, y in client.batches(local_steps):
            loss = self.objective(self.model, x, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            self._track()
            total += loss.item()
        return total / local_steps

    @torch.no_grad()
    def drift(self):
        return sum((p - self.slow[k]).pow(2).sum() for k, p in self.model.named_parameters()).sqrt().item()
