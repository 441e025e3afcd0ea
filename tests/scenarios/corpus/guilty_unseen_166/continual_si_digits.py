# gradwatch-corpus: kind=graph-held
# holder: self.path | si.path | reg.path | SynapticIntelligence.path
# first-bad: 1
"""Synaptic Intelligence on a sequence of rotated blob tasks."""
import argparse
import math
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)


def rotated_task(angle, n=320, dim=16, classes=4, seed=0):
    g = torch.Generator().manual_seed(seed)
    centers = torch.randn(classes, dim, generator=g) * 2
    y = torch.randint(0, classes, (n,), generator=g)
    x = centers[y] + torch.randn(n, dim, generator=g)
    c, s = math.cos(angle), math.sin(angle)
    a, b = x[:, 0::2].clone(), x[:, 1::2].clone()
    x[:, 0::2], x[:, 1::2] = c * a - s * b, s * a + c * b
    return TensorDataset(x, y)


class Net(nn.Module):
    def __init__(self, dim=16, hidden=48, classes=4):
        super().__init__()
        self.fc1 = nn.Linear(dim, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.out(F.relu(self.fc2(F.relu(self.fc1(x)))))


class SynapticIntelligence:
    def __init__(self, model, c=0.1, xi=0.1):
        self.model, self.c, self.xi = model, c, xi
        self.omega = {n: torch.zeros_like(p) for n, p in model.named_parameters()}
        self.anchor = {n: p.detach().clone() for n, p in model.named_parameters()}
        self.start_task()

    def start_task(self):
        self.path = {n: torch.zeros_like(p) for n, p in self.model.named_parameters()}
        self.prev = {n: p.detach().clone() for n, p in self.model.named_parameters()}

    def after_step(self):
        for n, p in self.model.named_parameters():
            if p.grad is None:
                continue
            delta = p - self.prev[n]  # <- culprit
            self.path[n] = self.path[n] - p.grad * delta  # <- culprit
            self.prev[n] = p.detach().clone()

    def end_task(self):
        for n, p in self.model.named_parameters():
            change = p.detach() - self.anchor[n]
            self.omega[n] += (self.path[n].detach() / (change.pow(2) + self.xi)).clamp_min(0)
            self.anchor[n] = p.detach().clone()
        self.start_task()

    def penalty(self):
        terms = [(self.omega[n] * (p - self.anchor[n]).pow(2)).sum()
                 for n, p in self.model.named_parameters()]
        return self.c * torch.stack(terms).sum()


@torch.no_grad()
def accuracy(model, data):
    x, y = data.tensors
    return (model(x).argmax(1) == y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tasks", type=int, default=2)
    ap.add_argument("--epochs", type=int, default=5)
    ap.add_argument("--bs", type=int, default=32)
    args = ap.parse_args()
    torch.manual_seed(0)
    tasks = [rotated_task(k * math.pi / 6, seed=k) for k in range(args.tasks)]
    model = Net()
    reg = SynapticIntelligence(model)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    with tempfile.TemporaryDirectory() as ckpt:
        for k, data in enumerate(tasks):
            loader = DataLoader(data, batch_size=args.bs, shuffle=True)
            for epoch in range(args.epochs):
                run = 0.0
                for x, y in loader:
                    opt.zero_grad()
                    loss = F.cross_entropy(model(x), y)
                    if k > 0:
                        loss = loss + reg.penalty()
                    loss.backward()
                    opt.step()
                    reg.after_step()
                    run += loss.item()
                print(f"task {k} epoch {epoch} loss {run / len(loader):.4f}")
            reg.end_task()
            torch.save(model.state_dict(), os.path.join(ckpt, f"task{k}.pt"))
            print("acc", [round(accuracy(model, t), 3) for t in tasks[:k + 1]])


if __name__ == "__main__":
    main()
