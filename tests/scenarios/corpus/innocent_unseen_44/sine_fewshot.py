# gradwatch-corpus: kind=none
"""Second-order MAML on sine regression."""
import argparse
import math

import torch
from torch import nn
from torch.func import functional_call
import torch.nn.functional as F


class SineTask:
    def __init__(self):
        self.amp = float(torch.empty(1).uniform_(0.5, 3))
        self.phase = float(torch.empty(1).uniform_(0, math.pi))

    def draw(self, n):
        x = torch.empty(n, 1).uniform_(-4, 4)
        return x, self.amp * torch.sin(x + self.phase)


class Regressor(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(1, width), nn.Tanh(),
            nn.Linear(width, width), nn.Tanh(),
            nn.Linear(width, 1),
        )

    def forward(self, x):
        return self.net(x)


class MetaLearner:
    def __init__(self, model, inner_lr, inner_steps, outer_lr):
        self.model = model
        self.inner_lr = inner_lr
        self.inner_steps = inner_steps
        self.outer = torch.optim.Adam(model.parameters(), lr=outer_lr)

    def adapt(self, support, create_graph):
        x, y = support
        fast = dict(self.model.named_parameters())
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.model, fast, (x,)), y)
            grads = torch.autograd.grad(loss, tuple(fast.values()), create_graph=create_graph)
            fast = {k: w - self.inner_lr * g for (k, w), g in zip(fast.items(), grads)}
        return fast

    def meta_step(self, tasks, shots):
        meta_loss = 0.0
        for task in tasks:
            fast = self.adapt(task.draw(shots), create_graph=True)
            x, y = task.draw(shots)
            meta_loss = meta_loss + F.mse_loss(functional_call(self.model, fast, (x,)), y)
        meta_loss = meta_loss / len(tasks)
        self.outer.zero_grad()
        meta_loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.outer.step()
        return meta_loss.item()

    def evaluate(self, tasks, shots):
        errors = []
        for task in tasks:
            fast = self.adapt(task.draw(shots), create_graph=False)
            with torch.no_grad():
                x, y = task.draw(50)
                errors.append(F.mse_loss(functional_call(self.model, fast, (x,)), y).item())
        return sum(errors) / len(errors)


def cli():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--iterations", type=int, default=100)
    p.add_argument("--tasks", type=int, default=4)
    p.add_argument("--shots", type=int, default=10)
    p.add_argument("--inner-lr", type=float, default=0.05)
    p.add_argument("--inner-steps", type=int, default=2)
    p.add_argument("--seed", type=int, default=13)
    return p.parse_args()


def main():
    args = cli()
    torch.manual_seed(args.seed)
    learner = MetaLearner(Regressor(), args.inner_lr, args.inner_steps, outer_lr=3e-3)
    fixed = [SineTask() for _ in range(10)]
    smooth = None
    for i in range(args.iterations):
        loss = learner.meta_step([SineTask() for _ in range(args.tasks)], args.shots)
        smooth = loss if smooth is None else 0.9 * smooth + 0.1 * loss
        if (i + 1) % 25 == 0:
            print(f"iteration {i + 1}: meta loss {smooth:.3f}, unseen tasks {learner.evaluate(fixed, args.shots):.3f}")


if __name__ == "__main__":
    main()
