from dataclasses import dataclass
from dataclasses import field

import torch
from torch import nn
from torch.func import functional_call


@dataclass
class Ledger:
    size: int = 16
    before: list = field(default_factory=list)
    after: list = field(default_factory=list)

    def add(self, before, after):
        self.before.append(before)
        self.after.append(after)

    @property
    def full(self):
        return len(self.after) >= self.size

    def close(self):
        b = torch.stack(self.before).mean().item()
        a = torch.stack(self.after).mean().item()
        self.before.clear()
        self.after.clear()
        return b, a


class MetaFit:
    def __init__(self, net, inner_steps, lr, inner_rate=0.05):
        self.net = net
        self.inner_steps = inner_steps
        self.log_rate = nn.ParameterDict()
        for name, _ in net.named_parameters():
            self.log_rate[name.replace(".", "_")] = nn.Parameter(torch.tensor(inner_rate).log())
        self.optimizer = torch.optim.Adam([*net.parameters(), *self.log_rate.parameters()], lr=lr)
        self.ledger = Ledger()

    def error(self, weights, volume, ph):
        return (functional_call(self.net, weights, (volume,)) - ph).square().mean()

    def adapt(self, acid):
        weights = dict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            loss = self.error(weights, acid.support_volume, acid.support_ph)
            slopes = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
            moved = {}
            for (name, w), slope in zip(weights.items(), slopes):
                rate = self.log_rate[name.replace(".", "_")].exp()
                moved[name] = w - rate * slope
            weights = moved
        return weights

    def meta_step(self, acids):
        total = 0.0
        with torch.no_grad():
            start = dict(self.net.named_parameters())
            before = torch.stack([self.error(start, a.query_volume, a.query_ph) for a in acids]).mean()
        for acid in acids:
            adapted = self.adapt(acid)
            total = total + self.error(adapted, acid.query_volume, acid.query_ph)
        outer = total / len(acids)
        self.optimizer.zero_grad()
        outer.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
        return before, outer.detach()
