import torch
from torch import nn
from torch.func import functional_call


class MetaFit:
    def __init__(self, net, inner_lr=0.05, inner_steps=3):
        self.net, self.inner_steps = net, inner_steps
        self.inner_lr = nn.Parameter(torch.tensor(inner_lr))
        self.adapted = {}     # patient slot -> weights of the latest adaptation
        self.curve = []

    def err(self, w, data):
        t, y = data
        return (functional_call(self.net, w, (t,)) - y).square().mean()

    def adapt(self, support):
        w = dict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            gs = torch.autograd.grad(self.err(w, support), list(w.values()), create_graph=True)
            w = {k: p - self.inner_lr * g for (k, p), g in zip(w.items(), gs)}
        return w

    def outer(self, tasks):
        total = 0.0
        for slot, (support, query) in enumerate(tasks):
            self.adapted[slot] = self.adapt(support)
            total = total + self.err(self.adapted[slot], query)
        self.curve.append(total.detach() / (slot + 1))
        return total / (slot + 1)
