# gradwatch-corpus: kind=second-backward
# holder: codes | code
# first-bad: 0
"""Few-shot regression on sinusoids: a hypernetwork proposes the start point, inner SGD refines it."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

META_STEPS = 80
META_BATCH = 4
INNER_STEPS = 2
INNER_LR = 0.05
HIDDEN = 20


class TaskBatch:
    def __init__(self, n):
        self.amp = 0.5 + 3 * torch.rand(n)
        self.phase = math.pi * torch.rand(n)

    @property
    def descriptors(self):
        return torch.stack([self.amp / 3, self.phase.sin(), self.phase.cos()], dim=1)

    def draw(self, i, k):
        x = 10 * torch.rand(k, 1) - 5
        return x, self.amp[i] * torch.sin(x + self.phase[i])


class HyperStart(nn.Module):
    def __init__(self, d_in=3, d_code=16):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(d_in, 32), nn.ELU(), nn.Linear(32, d_code))
        self.to_w1 = nn.Linear(d_code, HIDDEN)
        self.to_b1 = nn.Linear(d_code, HIDDEN)
        self.to_w2 = nn.Linear(d_code, HIDDEN)

    def start(self, code):
        return [self.to_w1(code).unsqueeze(1), self.to_b1(code), self.to_w2(code).unsqueeze(0)]


def predict(weights, x):
    w1, b1, w2 = weights
    return F.linear(torch.tanh(F.linear(x, w1, b1)), w2)


def adapt(weights, x, y):
    for _ in range(INNER_STEPS):
        loss = F.mse_loss(predict(weights, x), y)
        grads = torch.autograd.grad(loss, weights, create_graph=True)
        weights = [w - INNER_LR * g for w, g in zip(weights, grads)]
    return weights


def meta_step(hyper, optimizer):
    tasks = TaskBatch(META_BATCH)
    codes = hyper.embed(tasks.descriptors)  # <- culprit
    optimizer.zero_grad()
    total = 0.0
    for i, code in enumerate(codes):  # <- culprit
        weights = hyper.start(code)
        weights = adapt(weights, *tasks.draw(i, 10))
        xq, yq = tasks.draw(i, 15)
        query_loss = F.mse_loss(predict(weights, xq), yq) / META_BATCH
        query_loss.backward()  # <- culprit
        total += query_loss.item()
    nn.utils.clip_grad_norm_(hyper.parameters(), 5.0)
    optimizer.step()
    return total


def main():
    torch.manual_seed(17)
    hyper = HyperStart()
    optimizer = torch.optim.Adam(hyper.parameters(), lr=1e-3)
    smooth = None
    for it in range(META_STEPS):
        loss = meta_step(hyper, optimizer)
        smooth = loss if smooth is None else 0.95 * smooth + 0.05 * loss
        if it % 10 == 0:
            print(f"meta {it:3d}  query mse {smooth:.4f}")


if __name__ == "__main__":
    main()
