# gradwatch-corpus: kind=none
# about: first-order MAML: each task gets a copy of the model and a torch.optim.SGD of its own,
# about: made afresh hundreds of times; the outer optimizer steps once per meta-batch
import copy

import torch
import torch.nn as nn
from parts.pace import ITERATIONS


def task():
    w = torch.randn(4, 1)

    def draw(n):
        x = torch.randn(n, 4)
        return x, torch.tanh(x @ w)

    return draw


def inner_loop(model, draw, steps=5, lr=0.05):
    learner = copy.deepcopy(model)
    opt = torch.optim.SGD(learner.parameters(), lr=lr)
    for _ in range(steps):
        x, y = draw(16)
        loss = nn.functional.mse_loss(learner(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    x, y = draw(16)
    query = nn.functional.mse_loss(learner(x), y)
    grads = torch.autograd.grad(query, learner.parameters())
    return query.item(), grads


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 24), nn.Tanh(), nn.Linear(24, 1))
    meta = torch.optim.Adam(model.parameters(), lr=3e-3)
    for it in range(ITERATIONS // 6):
        meta.zero_grad()
        total = 0.0
        for _ in range(4):
            query, grads = inner_loop(model, task())
            total += query
            for p, g in zip(model.parameters(), grads):
                p.grad = g / 4 if p.grad is None else p.grad + g / 4
        meta.step()
        if it % 10 == 0:
            print(f"meta {it}: query {total / 4:.6f}")


if __name__ == "__main__":
    main()
