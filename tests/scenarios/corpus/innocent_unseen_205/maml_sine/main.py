# gradwatch-corpus: kind=none
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F

from tasks import SineTasks


class Net(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.l1, self.l2, self.l3 = nn.Linear(1, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, 1)

    def forward(self, x, w=None):
        w = w or OrderedDict(self.named_parameters())
        x = torch.relu(F.linear(x, w["l1.weight"], w["l1.bias"]))
        x = torch.relu(F.linear(x, w["l2.weight"], w["l2.bias"]))
        return F.linear(x, w["l3.weight"], w["l3.bias"])


class MetaLearner:
    def __init__(self, inner_steps=2, inner_lr=0.02, outer_lr=2e-3, n_tasks=2, shots=10):
        self.net = Net()
        self.inner_lr = nn.ParameterDict(
            {n.replace(".", "_"): nn.Parameter(torch.tensor(inner_lr)) for n, _ in self.net.named_parameters()})
        self.opt = torch.optim.Adam(list(self.net.parameters()) + list(self.inner_lr.parameters()), lr=outer_lr)
        self.tasks = SineTasks()
        self.inner_steps, self.n_tasks, self.shots = inner_steps, n_tasks, shots
        self.fast = None
        self.curve = []
        self.ema = None

    def adapt(self, x, y):
        self.fast = OrderedDict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            loss = F.mse_loss(self.net(x, self.fast), y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
            self.fast = OrderedDict(
                (n, w - self.inner_lr[n.replace(".", "_")] * g) for (n, w), g in zip(self.fast.items(), grads))
        return self.fast

    def meta_step(self):
        outer = 0
        for (xs, ys), (xq, yq) in self.tasks.sample(self.n_tasks, self.shots):
            outer = outer + F.mse_loss(self.net(xq, self.adapt(xs, ys)), yq)
        outer = outer / self.n_tasks
        self.opt.zero_grad()
        outer.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.opt.step()
        self.curve.append(outer.detach())
        self.ema = self.curve[-1] if self.ema is None else 0.98 * self.ema + 0.02 * self.curve[-1]


def main():
    torch.manual_seed(0)
    learner = MetaLearner()
    for i in range(1, 421):
        learner.meta_step()
        if i % 70 == 0:
            print(f"meta {i} ema {learner.ema:.3f} recent {torch.stack(learner.curve[-30:]).mean():.3f}")


if __name__ == "__main__":
    main()
