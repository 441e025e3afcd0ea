import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class FastWeights(nn.Module):
    """Keeps an adapted copy of a module's parameters."""

    def __init__(self, net):
        super().__init__()
        self.net = net
        for p in self.net.parameters():
            p.requires_grad_(False)
        self.fast = {k: v.clone().requires_grad_(True) for k, v in net.named_parameters()}

    def predict(self, x):
        return functional_call(self.net, self.fast, (x,))

    def move(self, deltas):
        self.fast = {k: w - deltas[k] for k, w in self.fast.items()}  # <- culprit


class OnlineMetaLearner(FastWeights):
    """Meta-SGD on a stream: one learnable log-lr per tensor."""

    def __init__(self, net, init_lr):
        super().__init__(net)
        self.log_lr = nn.ParameterDict({
            k.replace(".", "_"): nn.Parameter(torch.tensor(math.log(init_lr)))
            for k in self.fast
        })

    def meta_parameters(self):
        return self.log_lr.parameters()

    def named_lrs(self):
        return self.log_lr.items()

    def observe(self, x, y):
        names = list(self.fast)
        loss = F.mse_loss(self.predict(x), y)
        grads = torch.autograd.grad(loss, [self.fast[n] for n in names], create_graph=True)
        self.move({n: self.log_lr[n.replace(".", "_")].exp() * g for n, g in zip(names, grads)})

    def evaluate(self, x, y):
        return F.mse_loss(self.predict(x), y)
