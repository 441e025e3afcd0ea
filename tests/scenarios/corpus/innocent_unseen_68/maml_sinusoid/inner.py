from collections import OrderedDict

import torch
from torch import nn
from torch.func import functional_call


class InnerLoop:
    def __init__(self, net, steps, rate):
        self.net, self.steps = net, steps
        start = torch.tensor(rate).log()
        self.log_rates = {k: nn.Parameter(start.clone()) for k, _ in net.named_parameters()}
        self.trajectory = []

    def adapt(self, theta, x, y):
        self.trajectory = [theta]
        for _ in range(self.steps):
            cur = self.trajectory[-1]
            loss = nn.functional.mse_loss(functional_call(self.net, cur, (x,)), y)
            grads = torch.autograd.grad(loss, list(cur.values()), create_graph=True)
            nxt = OrderedDict(
                (k, w - self.log_rates[k].exp() * g) for (k, w), g in zip(cur.items(), grads)
            )
            self.trajectory.append(nxt)
        return self.trajectory[-1]

    def summary(self):
        vals = [p.exp().item() for p in self.log_rates.values()]
        return f"{min(vals):.3f}..{max(vals):.3f}"
