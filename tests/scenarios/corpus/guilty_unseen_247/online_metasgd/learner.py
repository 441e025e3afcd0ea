import math

import torch
import torch.nn.functional as F


def init_fast(hidden):
    sizes = [(1, hidden), (hidden, hidden), (hidden, 1)]
    params = {}
    for i, (fan_in, fan_out) in enumerate(sizes):
        w = torch.randn(fan_out, fan_in) / math.sqrt(fan_in)
        params[f"w{i}"] = w.requires_grad_()
        params[f"b{i}"] = torch.zeros(fan_out, requires_grad=True)
    return params


def forward(params, x):
    h = torch.tanh(F.linear(x, params["w0"], params["b0"]))
    h = torch.tanh(F.linear(h, params["w1"], params["b1"]))
    return F.linear(h, params["w2"], params["b2"])


class MetaSGDLearner:
    """Per-parameter log step sizes, adapted by the query loss after each step."""

    def __init__(self, hidden=32, meta_lr=1e-3, init_rate=0.02):
        self.fast = init_fast(hidden)
        self.log_rate = {}
        for name, p in self.fast.items():
            start = torch.full_like(p, math.log(init_rate))
            self.log_rate[name] = start.detach().requires_grad_()
        self.meta_lr = meta_lr

    def adapt(self, params, batch):
        x, y = batch
        loss = F.mse_loss(forward(params, x), y)
        grads = torch.autograd.grad(loss, list(params.values()), create_graph=True)
        adapted = {}
        for (name, p), g in zip(params.items(), grads):
            adapted[name] = p - self.log_rate[name].exp() * g
        return adapted

    def observe(self, support, query):
        adapted = self.adapt(self.fast, support)
        x, y = query
        query_loss = F.mse_loss(forward(adapted, x), y)
        rates = list(self.log_rate.values())
        hyper = torch.autograd.grad(query_loss, rates, retain_graph=True)
        with torch.no_grad():
            for r, h in zip(rates, hyper):
                r.sub_(self.meta_lr * h.sign())
        self.fast = adapted  # <- culprit
        return query_loss.item()

    def mean_rate(self):
        with torch.no_grad():
            flat = torch.cat([r.exp().flatten() for r in self.log_rate.values()])
        return flat.mean().item()
