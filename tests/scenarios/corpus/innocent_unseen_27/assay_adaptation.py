# gradwatch-corpus: kind=none
# after: higher / learn2learn MAML loops (create_graph in the inner loop, fast weights dropped after the outer step)
"""Few-shot adaptation of dose-response curves to new assays (second-order MAML with torch.func)."""
import math
from dataclasses import dataclass, field
from functools import partial

import torch
from torch import nn
from torch.func import functional_call


@dataclass
class Task:
    support: tuple
    query: tuple
    plate: int


@dataclass
class Adapted:
    """Fast weights on their way through the inner loop."""
    weights: dict
    trail: list = field(default_factory=list)

    def move(self, grads, rates):
        moved = {k: w - rates[k.replace(".", "_")] * g for (k, w), g in zip(self.weights.items(), grads)}
        return Adapted(moved, self.trail)


class Assays:
    def __init__(self, shots=8):
        self.shots, self.count = shots, 0

    def task(self):
        ec50, hill, top = torch.rand(()) * 4 - 2, 0.5 + torch.rand(()), 0.5 + torch.rand(())
        x = torch.rand(2 * self.shots, 1) * 8 - 4
        y = top * torch.sigmoid(hill * 3 * (x - ec50)) + 0.02 * torch.randn_like(x)
        self.count += 1
        s = self.shots
        return Task((x[:s], y[:s]), (x[s:], y[s:]), self.count)


class MetaLearner(nn.Module):
    def __init__(self, inner_steps=3):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))
        self.log_rates = nn.ParameterDict({k.replace(".", "_"): nn.Parameter(torch.tensor(math.log(0.05)))
                                           for k, _ in self.net.named_parameters()})
        self.inner_steps = inner_steps

    def loss(self, weights, data):
        x, y = data
        return nn.functional.mse_loss(functional_call(self.net, weights, (x,)), y)

    def adapt(self, task, second_order=True):
        rates = {k: v.exp() for k, v in self.log_rates.items()}
        state = Adapted(dict(self.net.named_parameters()))
        for _ in range(self.inner_steps):
            loss = self.loss(state.weights, task.support)
            grads = torch.autograd.grad(loss, list(state.weights.values()), create_graph=second_order)
            state = state.move(grads, rates)
            state.trail.append(loss.item())
        return state

    def outer(self, tasks):
        states = [self.adapt(t) for t in tasks]
        total = sum(self.loss(s.weights, t.query) for s, t in zip(states, tasks)) / len(tasks)
        return total, states


def evaluate(learner, tasks):
    values = []
    for task in tasks:
        state = learner.adapt(task, second_order=False)
        with torch.no_grad():
            values.append(learner.loss(state.weights, task.query).item())
    return sum(values) / len(values)


def main(outer_steps=80, tasks_per_step=4):
    torch.manual_seed(50)
    assays, learner = Assays(), MetaLearner()
    optimizer = torch.optim.Adam(learner.parameters(), lr=3e-3)
    held_out = [assays.task() for _ in range(4)]
    check = partial(evaluate, learner, held_out)
    log, trails = [], {}
    for it in range(outer_steps):
        loss, states = learner.outer([assays.task() for _ in range(tasks_per_step)])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        trails[it] = [s.trail for s in states]
        log.append((it, loss.item()))
        if it % 20 == 0:
            print(f"outer {it} query {loss.item():.4f} held-out {check():.4f}")


if __name__ == "__main__":
    main()
