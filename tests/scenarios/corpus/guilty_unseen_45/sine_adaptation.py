# gradwatch-corpus: kind=second-backward
# first-bad: 40
"""First-order meta learning on sinusoids, with a support-fit term phased in."""
import argparse

import torch
import torch.nn.functional as F
from torch.func import functional_call
from torch import nn


def sample_tasks(n_tasks, shots, gen):
    amp = torch.rand(n_tasks, 1, 1, generator=gen) * 4.9 + 0.1
    phase = torch.rand(n_tasks, 1, 1, generator=gen) * 3.14
    x = torch.rand(n_tasks, 2 * shots, 1, generator=gen) * 10 - 5
    y = amp * torch.sin(x + phase)
    return x[:, :shots], y[:, :shots], x[:, shots:], y[:, shots:]


class Regressor(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.ReLU(),
                                 nn.Linear(hidden, hidden), nn.ReLU(),
                                 nn.Linear(hidden, 1))

    def forward(self, x):
        return self.net(x)


class FirstOrderLearner:
    def __init__(self, model, inner_lr=0.01, inner_steps=1):
        self.model = model
        self.inner_lr = inner_lr
        self.inner_steps = inner_steps

    def loss(self, params, x, y):
        return F.mse_loss(functional_call(self.model, params, (x,)), y)

    def adapt(self, x, y):
        params = dict(self.model.named_parameters())
        initial = None
        for _ in range(self.inner_steps):
            fit = self.loss(params, x, y)
            if initial is None:
                initial = fit
            grads = torch.autograd.grad(fit, list(params.values()))  # <- culprit
            params = {k: p - self.inner_lr * g
                      for (k, p), g in zip(params.items(), grads)}
        return params, initial  # <- culprit


class Schedule:
    """Weight of the support-fit term: nothing at first, then a linear ramp."""

    def __init__(self, start, ramp, top):
        self.start, self.ramp, self.top = start, ramp, top

    def __call__(self, step):
        if step < self.start:
            return 0.0
        return self.top * min(1.0, (step - self.start + 1) / self.ramp)


def outer_loss(learner, tasks, weight):
    total = 0.0
    for xs, ys, xq, yq in zip(*tasks):
        fast, support = learner.adapt(xs, ys)
        total = total + learner.loss(fast, xq, yq)
        if weight > 0:
            total = total + weight * support  # <- culprit
    return total / len(tasks[0])


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=160)
    ap.add_argument("--tasks", type=int, default=4)
    ap.add_argument("--shots", type=int, default=10)
    ap.add_argument("--hidden", type=int, default=40)
    ap.add_argument("--support-from", type=int, default=40)
    return ap.parse_args()


def main():
    args = parse()
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    learner = FirstOrderLearner(Regressor(args.hidden))
    meta_opt = torch.optim.Adam(learner.model.parameters(), lr=1e-3)
    ramp = Schedule(args.support_from, 50, 0.1)
    for step in range(args.steps):
        tasks = sample_tasks(args.tasks, args.shots, gen)
        loss = outer_loss(learner, tasks, ramp(step))
        meta_opt.zero_grad()
        loss.backward()
        meta_opt.step()
        if step % 20 == 0:
            print(f"{step:4d}  query mse {loss.item():.3f}  w={ramp(step):.3f}")


if __name__ == "__main__":
    main()
