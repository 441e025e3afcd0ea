# gradwatch-corpus: kind=none
"""Second-order MAML on sinusoid regression, with learned per-parameter inner step sizes."""
import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch.func import functional_call


@dataclass
class Task:
    amp: float
    phase: float

    def points(self, n):
        x = 10 * torch.rand(n, 1) - 5
        return x, self.amp * torch.sin(x + self.phase)


def tasks(n):
    a = 0.1 + 4.9 * torch.rand(n)
    p = math.pi * torch.rand(n)
    return [Task(float(i), float(j)) for i, j in zip(a, p)]


class MetaLearner(torch.nn.Module):
    def __init__(self, hidden=24, inner_lr=0.02):
        super().__init__()
        self.net = torch.nn.Sequential(
            torch.nn.Linear(1, hidden), torch.nn.Tanh(), torch.nn.Linear(hidden, 1)
        )
        self.rates = torch.nn.ParameterDict(
            {k.replace(".", "_"): torch.nn.Parameter(torch.tensor(inner_lr)) for k, _ in self.net.named_parameters()}
        )

    def adapt(self, x, y, steps):
        fast = dict(self.net.named_parameters())
        for _ in range(steps):
            loss = F.mse_loss(functional_call(self.net, fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {k: w - self.rates[k.replace(".", "_")] * g for (k, w), g in zip(fast.items(), grads)}
        return fast

    def query_loss(self, task, steps=2, shots=8):
        fast = self.adapt(*task.points(shots), steps)
        x, y = task.points(shots)
        return F.mse_loss(functional_call(self.net, fast, (x,)), y)


def main(iters=400):
    torch.manual_seed(1)
    meta = MetaLearner()
    opt = torch.optim.Adam(meta.parameters(), lr=2e-3)
    curve = []
    for it in range(iters):
        losses = [meta.query_loss(t) for t in tasks(3)]
        total = torch.stack(losses).mean()
        opt.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(meta.parameters(), 10.0)
        opt.step()
        curve.append(total.item())
        if it % 80 == 79:
            print(it + 1, sum(curve[-80:]) / 80)


if __name__ == "__main__":
    main()
