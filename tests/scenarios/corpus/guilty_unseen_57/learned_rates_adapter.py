# gradwatch-corpus: kind=graph-chain
# holder: self.fast | tuner.fast | fast | updated | learner.fast
# first-bad: 1
"""Adapter tuning where per-tensor step sizes are themselves learned from held-out batches."""
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class Backbone(nn.Module):
    """Frozen body, small trainable bottleneck."""

    def __init__(self, d=24, r=4, n_cls=5):
        super().__init__()
        self.body = nn.Linear(d, d)
        self.down = nn.Linear(d, r, bias=False)
        self.up = nn.Linear(r, d, bias=False)
        self.head = nn.Linear(d, n_cls)
        for p in self.body.parameters():
            p.requires_grad_(False)

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return self.head(h + self.up(torch.tanh(self.down(h))))


class StepSizes(nn.Module):
    def __init__(self, names, init=-2.5):
        super().__init__()
        self.log_lr = nn.ParameterDict({n.replace(".", "/"): nn.Parameter(torch.tensor(init)) for n in names})

    def apply_to(self, weights, grads):
        out = OrderedDict()
        for (name, w), g in zip(weights.items(), grads):
            out[name] = w - self.log_lr[name.replace(".", "/")].exp() * g  # <- culprit
        return out


class AdapterTuner:
    def __init__(self, net, meta_lr=0.02):
        self.net = net
        self.fast = OrderedDict(
            (n, p.detach().clone().requires_grad_(True)) for n, p in net.named_parameters() if p.requires_grad
        )
        self.rates = StepSizes(self.fast)
        self.meta_opt = torch.optim.Adam(self.rates.parameters(), lr=meta_lr)

    def loss(self, weights, batch):
        x, y = batch
        return F.cross_entropy(functional_call(self.net, dict(weights), (x,)), y)

    def step(self, support, query):
        inner = self.loss(self.fast, support)
        grads = torch.autograd.grad(inner, list(self.fast.values()), create_graph=True)
        updated = self.rates.apply_to(self.fast, grads)
        outer = self.loss(updated, query)
        self.meta_opt.zero_grad()
        outer.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(self.rates.parameters(), 0.5)
        self.meta_opt.step()
        self.fast = updated  # <- culprit
        return inner.item(), outer.item()


class DomainStream:
    def __init__(self, d=24, n_cls=5, batch=32):
        self.centers = torch.randn(n_cls, d)
        self.batch = batch

    def draw(self):
        y = torch.randint(0, self.centers.size(0), (self.batch,))
        return self.centers[y] + 0.8 * torch.randn(self.batch, self.centers.size(1)), y


def main():
    torch.manual_seed(5)
    torch.set_num_threads(1)
    stream = DomainStream()
    tuner = AdapterTuner(Backbone())
    for it in range(80):
        inner, outer = tuner.step(stream.draw(), stream.draw())
        if it % 20 == 0:
            lrs = [round(p.exp().item(), 4) for p in tuner.rates.parameters()]
            print(f"{it:3d} support {inner:.3f} query {outer:.3f} rates {lrs}")


if __name__ == "__main__":
    main()
