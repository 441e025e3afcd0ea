# gradwatch-corpus: kind=second-backward
# first-bad: 6
"""Prototype classifier over a small set of bird-song tasks that are visited in
turn."""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Task:
    name: str
    support: torch.Tensor
    means: torch.Tensor
    gen: torch.Generator = field(repr=False)

    def queries(self, n):
        y = torch.randint(0, len(self.means), (n,), generator=self.gen)
        return self.means[y] + 0.7 * torch.randn(n, self.means.size(1), generator=self.gen), y


def build_tasks(count, ways, shots, dim, seed):
    gen = torch.Generator().manual_seed(seed)
    tasks = []
    for k in range(count):
        means = torch.randn(ways, dim, generator=gen)
        noise = 0.7 * torch.randn(ways, shots, dim, generator=gen)
        tasks.append(Task(f"site{k}", means.unsqueeze(1) + noise, means, gen))
    return tasks


class ProtoNet(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(dim, 48), nn.GELU(), nn.LayerNorm(48), nn.Linear(48, width)
        )
        self.log_scale = nn.Parameter(torch.zeros(()))
        self._prototypes = {}

    def prototypes(self, task):
        if task.name not in self._prototypes:  # <- culprit
            ways, shots, dim = task.support.shape
            codes = self.encoder(task.support.view(-1, dim))
            self._prototypes[task.name] = codes.view(ways, shots, -1).mean(1)  # <- culprit
        return self._prototypes[task.name]

    def forward(self, task, queries):
        centres = self.prototypes(task)
        distance = (self.encoder(queries).unsqueeze(1) - centres).square().sum(-1)
        return -self.log_scale.exp() * distance


def evaluate(model, task):
    with torch.no_grad():
        x, y = task.queries(200)
        return (model(task, x).argmax(1) == y).float().mean().item()


def main(iterations=600):
    torch.manual_seed(23)
    tasks = build_tasks(count=6, ways=5, shots=4, dim=10, seed=24)
    model = ProtoNet(10, 16)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for it in range(iterations):
        task = tasks[it % len(tasks)]
        x, y = task.queries(30)
        loss = nn.functional.cross_entropy(model(task, x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 100 == 99:
            print(it + 1, f"loss {loss.item():.3f}", [round(evaluate(model, t), 2) for t in tasks])


if __name__ == "__main__":
    main()
