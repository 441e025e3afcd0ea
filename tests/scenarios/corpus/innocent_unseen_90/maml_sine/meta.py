from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Trace:
    """Inner-loop weights and losses of the current meta-iteration."""
    weights: list = field(default_factory=list)
    losses: list = field(default_factory=list)
    first: list = field(default_factory=list)
    last: list = field(default_factory=list)

    def begin(self):
        self.weights.clear()
        self.losses.clear()

    def push(self, weights, loss):
        self.weights.append(weights)
        self.losses.append(loss)

    def close_task(self, query):
        self.first.append(self.losses[0].item())
        self.last.append(query.item())

    def report(self):
        n = min(40, len(self.first))
        return f"before {sum(self.first[-n:]) / n:.3f} after {sum(self.last[-n:]) / n:.3f}"


class MetaLearner(nn.Module):
    def __init__(self, net, inner_steps, init_lr):
        super().__init__()
        self.net, self.inner_steps = net, inner_steps
        self.alphas = nn.ParameterList([nn.Parameter(torch.tensor(init_lr)) for _ in net.slow])
        self.trace = Trace()

    def adapt(self, support):
        x, y = support
        self.fast = list(self.net.slow)
        for _ in range(self.inner_steps):
            loss = F.mse_loss(self.net(x, self.fast), y)
            grads = torch.autograd.grad(loss, self.fast, create_graph=True)
            self.fast = [w - a * g for w, a, g in zip(self.fast, self.alphas, grads)]
            self.trace.push(self.fast, loss)
        return self.fast

    def meta_loss(self, batch):
        total = 0.0
        for support, query in batch:
            self.trace.begin()
            fast = self.adapt(support)
            q = F.mse_loss(self.net(query[0], fast), query[1])
            self.trace.close_task(q)
            total = total + q
        return total / len(batch)
