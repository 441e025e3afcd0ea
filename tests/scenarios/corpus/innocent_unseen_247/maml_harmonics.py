# gradwatch-corpus: kind=none
"""Second-order MAML over harmonic mixtures; three inner steps, LSLR step sizes."""
from collections import deque, namedtuple

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

Task = namedtuple("Task", "xs ys xq yq")


def draw_task(shots=10):
    amp = 0.5 + torch.rand(2)
    freq = 0.5 + 2 * torch.rand(2)
    phase = 3.14 * torch.rand(2)

    def f(x):
        return (amp * torch.sin(freq * x + phase)).sum(1, keepdim=True)

    xs = 8 * torch.rand(shots, 1) - 4
    xq = 8 * torch.rand(shots * 2, 1) - 4
    return Task(xs, f(xs), xq, f(xq))


class Harmonic(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(1, width), nn.Tanh(),
            nn.Linear(width, width), nn.Tanh(),
            nn.Linear(width, 1),
        )

    def forward(self, x):
        return self.layers(x)


class MAML:
    def __init__(self, model, inner_steps=3, inner_lr=0.03, outer_lr=2e-3):
        self.model = model
        self.inner_steps = inner_steps
        names = [n for n, _ in model.named_parameters()]
        self.step_sizes = nn.ParameterDict({
            n.replace(".", "_"): nn.Parameter(torch.full((inner_steps,), inner_lr)) for n in names
        })
        everything = list(model.parameters()) + list(self.step_sizes.parameters())
        self.meta_opt = torch.optim.Adam(everything, lr=outer_lr)
        self.path = []
        self.recent = deque(maxlen=25)

    def adapt(self, task):
        fast = dict(self.model.named_parameters())
        self.path = [fast]
        for k in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.model, fast, (task.xs,)), task.ys)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {
                n: p - self.step_sizes[n.replace(".", "_")][k] * g
                for (n, p), g in zip(fast.items(), grads)
            }
            self.path.append(fast)
        return fast

    def meta_step(self, tasks):
        self.meta_opt.zero_grad()
        total = 0.0
        for task in tasks:
            fast = self.adapt(task)
            final = F.mse_loss(functional_call(self.model, fast, (task.xq,)), task.yq)
            middle = F.mse_loss(functional_call(self.model, self.path[1], (task.xq,)), task.yq)
            loss = (final + 0.2 * middle) / len(tasks)
            loss.backward()
            total += final.item() / len(tasks)
        self.path.clear()
        self.meta_opt.step()
        self.recent.append(total)
        return total


def main():
    torch.manual_seed(9)
    learner = MAML(Harmonic())
    for it in range(70):
        tasks = [draw_task() for _ in range(4)]
        learner.meta_step(tasks)
        if it % 14 == 13:
            print(it + 1, round(sum(learner.recent) / len(learner.recent), 4))


if __name__ == "__main__":
    main()
