# gradwatch-corpus: kind=none
# Few-shot transit shapes: four differentiable inner steps with learned per-tensor rates.
from functools import reduce
import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(5)

INNER, TASKS = 4, 2


class Shape(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(1, 10), nn.Linear(10, 1)

    def forward(self, t):
        return self.b(torch.tanh(self.a(t)))


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Shape()
        self.rates = nn.ParameterDict({k.replace(".", "_"): nn.Parameter(torch.tensor(-3.0)) for k, _ in self.model.named_parameters()})

    def loss(self, params, data):
        t, flux = data
        return (functional_call(self.model, params, (t,)) - flux).pow(2).mean()

    def inner(self, params, data):
        slopes = torch.autograd.grad(self.loss(params, data), list(params.values()), create_graph=True)
        return {k: p - self.rates[k.replace(".", "_")].exp() * g for (k, p), g in zip(params.items(), slopes)}

    def adapt(self, support):
        start = dict(self.model.named_parameters())
        return reduce(lambda p, _: self.inner(p, support), range(INNER), start)

    def forward(self, support, query):
        return self.loss(self.adapt(support), query)


def star():
    depth, centre, width = 0.5 + torch.rand(()), 0.4 * torch.randn(()), 0.2 + 0.2 * torch.rand(())
    def observe(n):
        t = torch.rand(n, 1) * 2 - 1
        return t, 1 - depth * torch.sigmoid((width - (t - centre).abs()) * 12) + 0.02 * torch.randn(n, 1)
    return observe


learner = Learner()
meta = torch.optim.Adam(learner.parameters(), lr=3e-3)
warm = {k: v.detach().clone() for k, v in learner.model.named_parameters()}
for it in range(420):
    stars = [star() for _ in range(TASKS)]
    outer = [learner(s(8), s(12)) for s in stars]
    meta.zero_grad()
    (sum(outer) / TASKS).backward()
    meta.step()
    warm = {k: 0.99 * w + 0.01 * p.detach() for (k, w), p in zip(warm.items(), learner.model.parameters())}
    if it % 84 == 83:
        s = star()
        before = learner.loss(warm, s(20)).item()
        after = learner.loss(learner.adapt(s(8)), s(20)).item()
        print(it + 1, f"query {outer[-1].item():.4f} averaged weights {before:.4f} adapted {after:.4f}")
