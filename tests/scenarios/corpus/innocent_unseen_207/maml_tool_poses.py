# gradwatch-corpus: kind=none
"""Second-order MAML with learned inner rates for tool calibration curves."""
from collections import ChainMap, OrderedDict
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.func import functional_call
import torch.nn.functional as F


@dataclass
class MetaState:
    fast: dict = field(default_factory=dict)
    support_losses: list = field(default_factory=list)
    best: float = float("inf")
    best_weights: OrderedDict = field(default_factory=OrderedDict)


class CurveNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)


class MetaLearner(nn.Module):
    def __init__(self, net, inner_steps=2):
        super().__init__()
        self.net = net
        self.inner_steps = inner_steps
        self.rates = nn.ParameterDict({
            name.replace(".", "/"): nn.Parameter(torch.tensor(0.05)) for name, _ in net.named_parameters()
        })
        self.state = MetaState()

    def call(self, weights, x):
        return functional_call(self.net, dict(weights), (x,))

    def adapt(self, x, y):
        weights = ChainMap(self.state.fast, dict(self.net.named_parameters()))
        self.state.fast.clear()
        self.state.support_losses.clear()
        for _ in range(self.inner_steps):
            loss = F.mse_loss(self.call(weights, x), y)
            names = list(weights)
            grads = torch.autograd.grad(loss, [weights[n] for n in names], create_graph=True)
            updates = {n: weights[n] - self.rates[n.replace(".", "/")] * g for n, g in zip(names, grads)}
            self.state.fast.update(updates)
            self.state.support_losses.append(loss)
        return weights

    def outer_loss(self, tasks):
        total = 0.0
        for (xs, ys), (xq, yq) in tasks:
            total = total + F.mse_loss(self.call(self.adapt(xs, ys), xq), yq)
        return total / len(tasks)

    def remember(self, value):
        if value < self.state.best:
            self.state.best = value
            self.state.best_weights = OrderedDict((k, v.clone()) for k, v in self.net.state_dict().items())


def sample_tasks(n, gen, shots=8):
    tasks = []
    for _ in range(n):
        amp = 0.5 + torch.rand(1, generator=gen)
        phase = 3 * torch.rand(1, generator=gen)
        x = torch.rand(2 * shots, 1, generator=gen) * 4 - 2
        y = amp * torch.sin(x + phase)
        tasks.append(((x[:shots], y[:shots]), (x[shots:], y[shots:])))
    return tasks


def main(iterations=420):
    torch.manual_seed(73)
    gen = torch.Generator().manual_seed(73)
    learner = MetaLearner(CurveNet())
    optim = torch.optim.Adam(learner.parameters(), lr=2e-3)
    curve = []
    for it in range(iterations):
        loss = learner.outer_loss(sample_tasks(2, gen))
        optim.zero_grad()
        loss.backward()
        optim.step()
        curve.append(loss.item())
        learner.remember(curve[-1])
        if it % 70 == 0:
            support = [round(s.item(), 3) for s in learner.state.support_losses]
            print(it, f"query {curve[-1]:.4f} best {learner.state.best:.4f} support {support}")


if __name__ == "__main__":
    main()
