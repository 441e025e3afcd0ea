import math

import torch
from torch import nn
from torch.func import functional_call

from model import answer_loss


class InnerLoop:
    def __init__(self, model, steps, start=0.1):
        self.model, self.steps = model, steps
        self.log_rates = nn.ParameterDict(
            {name.replace(".", "_"): nn.Parameter(torch.tensor(math.log(start))) for name, _ in model.named_parameters()}
        )
        self.fast = None

    def adapt(self, support):
        self.fast = dict(self.model.named_parameters())
        for _ in range(self.steps):
            loss = answer_loss(self.predict(self.fast, support.x), support.y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
            self.fast = {
                name: p - self.log_rates[name.replace(".", "_")].exp() * g
                for (name, p), g in zip(self.fast.items(), grads)
            }
        return self.fast

    def predict(self, params, x):
        return functional_call(self.model, params, (x,))

    def mean_rate(self):
        with torch.no_grad():
            return torch.stack([v.exp() for v in self.log_rates.values()]).mean()
