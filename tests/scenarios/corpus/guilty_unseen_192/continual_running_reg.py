# gradwatch-corpus: kind=graph-chain
# holder: self.running | reg.running
# first-bad: 1
"""Online continual learning with a smoothed path regulariser (permuted tasks)."""
import abc

import torch
from torch import nn
import torch.nn.functional as F

REGULARISERS = {}


class Regulariser(abc.ABC):
    def __init_subclass__(cls, key=None, **kw):
        super().__init_subclass__(**kw)
        if key:
            REGULARISERS[key] = cls

    def __init__(self, model, strength):
        self.model, self.strength = model, strength
        self.anchor = self.snapshot()

    def snapshot(self):
        return {k: p.detach().clone() for k, p in self.model.named_parameters()}

    @abc.abstractmethod
    def __call__(self): ...

    def after_step(self):
        pass

    def end_task(self):
        self.anchor = self.snapshot()


class L2Anchor(Regulariser, key="l2"):
    def __call__(self):
        return self.strength * sum((p - self.anchor[k]).pow(2).sum() for k, p in self.model.named_parameters())


class OnlineImportance(Regulariser, key="online"):
    def __init__(self, model, strength, decay=0.9):
        super().__init__(model, strength)
        self.decay = decay
        self.omega = {k: torch.zeros_like(p) for k, p in model.named_parameters()}
        self.running = torch.zeros(())

    def __call__(self):
        dist = sum((self.omega[k] * (p - self.anchor[k]).pow(2)).sum() for k, p in self.model.named_parameters())
        self.running = self.decay * self.running + (1 - self.decay) * dist  # <- culprit
        return self.strength * self.running

    def after_step(self):
        self.omega = {
            k: self.decay * self.omega[k] + (1 - self.decay) * p.grad.detach().pow(2)
            for k, p in self.model.named_parameters()
        }


def task_stream(n_tasks, per_task, dim=16, batch=32):
    gen = torch.Generator().manual_seed(31)
    w = torch.randn(dim, 4, generator=gen)
    for task in range(n_tasks):
        perm = torch.randperm(dim, generator=gen)
        for i in range(per_task):
            x = torch.randn(batch, dim, generator=gen)
            yield task, i == per_task - 1, x[:, perm], (x @ w).argmax(1)


def main():
    torch.manual_seed(6)
    model = nn.Sequential(nn.Linear(16, 24), nn.ReLU(), nn.Linear(24, 4))
    reg = REGULARISERS["online"](model, strength=50.0)
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    for step, (task, last, x, y) in enumerate(task_stream(5, 80)):
        logits = model(x)
        penalty = reg()
        loss = F.cross_entropy(logits, y) + penalty
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        reg.after_step()
        if last:
            reg.end_task()
            acc = (logits.argmax(1) == y).float().mean().item()
            print(f"task {task} step {step} loss {loss.item():.3f} penalty {penalty.item():.4f} acc {acc:.2f}")


if __name__ == "__main__":
    main()
