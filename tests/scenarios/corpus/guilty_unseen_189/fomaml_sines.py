# gradwatch-corpus: kind=graph-chain
# holder: fast | learner | self.fast | learner.fast | self.fast[name] | fast[name] | trainer.learner.fast
# first-bad: 1
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class SineTasks:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def sample(self, k):
        amp = 0.1 + 4.9 * torch.rand((), generator=self.g)
        phase = math.pi * torch.rand((), generator=self.g)
        x = torch.rand(2 * k, 1, generator=self.g) * 10 - 5
        y = amp * torch.sin(x + phase)
        return (x[:k], y[:k]), (x[k:], y[k:])


class MLP(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.l1 = nn.Linear(1, width)
        self.l2 = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(F.relu(self.l2(F.relu(self.l1(x)))))


class Learner:
    """First-order MAML: adapts fast weights of a module by inner gradient steps."""

    def __init__(self, module, lr):
        self.module, self.lr = module, lr
        self.fast = {n: p + 0 for n, p in module.named_parameters()}

    def __call__(self, x):
        return functional_call(self.module, self.fast, (x,))

    def adapt(self, loss):
        names = list(self.fast)
        grads = torch.autograd.grad(loss, [self.fast[n] for n in names])
        for n, g in zip(names, grads):
            g = g.clamp(-10, 10)
            self.fast[n] = self.fast[n] - self.lr * g  # <- culprit


class MetaTrainer:
    def __init__(self, model, tasks, inner_lr=0.005, outer_lr=1e-3, inner_steps=2):
        self.model, self.tasks, self.inner_steps = model, tasks, inner_steps
        self.opt = torch.optim.Adam(model.parameters(), outer_lr)
        self.learner = Learner(model, inner_lr)
        self.history = []

    def meta_step(self, k=10):
        (xs, ys), (xq, yq) = self.tasks.sample(k)
        learner = self.learner  # <- culprit
        for _ in range(self.inner_steps):
            learner.adapt(F.mse_loss(learner(xs), ys))
        query = F.mse_loss(learner(xq), yq)
        self.opt.zero_grad()
        query.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.opt.step()
        return query.item()

    def fit(self, iterations):
        for i in range(iterations):
            self.history.append(self.meta_step())
            if i % 100 == 99:
                recent = self.history[-100:]
                print(f"[{i + 1}] query mse {sum(recent) / len(recent):.3f}")


def main():
    torch.manual_seed(42)
    trainer = MetaTrainer(MLP(), SineTasks(seed=9))
    trainer.fit(420)


if __name__ == "__main__":
    main()
