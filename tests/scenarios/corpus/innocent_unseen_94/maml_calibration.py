# gradwatch-corpus: kind=none
"""MAML for quick calibration of gas sensors: a few reference measurements of a new
device must be enough. Second order, several inner steps, learned inner rates."""
import functools

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.set_num_threads(1)
torch.manual_seed(12)


class Curve(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 20)
        self.b = nn.Linear(20, 20)
        self.c = nn.Linear(20, 1)

    def forward(self, x):
        return self.c(torch.tanh(self.b(torch.tanh(self.a(x)))))


def devices(n, shots):
    gain = 0.5 + torch.rand(n, 1, 1)
    expo = 0.4 + 0.4 * torch.rand(n, 1, 1)
    drift = 0.3 * torch.randn(n, 1, 1)

    def measure():
        ppm = torch.rand(n, shots, 1)
        temp = torch.randn(n, shots, 1)
        sig = gain * ppm ** expo + 0.05 * drift * temp + 0.01 * torch.randn_like(ppm)
        return torch.cat([sig, temp], -1), ppm

    return measure(), measure()


class MetaCalibrator:
    def __init__(self, inner_steps=3):
        self.net = Curve()
        self.rate = nn.ParameterDict(
            {k.replace(".", "_"): nn.Parameter(torch.tensor(-2.5)) for k, _ in self.net.named_parameters()}
        )
        self.inner_steps = inner_steps
        self.fast = None
        self.opt = torch.optim.Adam([*self.net.parameters(), *self.rate.parameters()], lr=2e-3)

    def loss(self, params, x, y):
        return (functional_call(self.net, params, (x,)) - y).square().mean()

    def adapt_and_test(self, params, rates, support, query):
        for _ in range(self.inner_steps):
            g = grad(self.loss)(params, *support)
            params = {k: v - rates[k.replace(".", "_")].exp() * g[k] for k, v in params.items()}
        return self.loss(params, *query), params

    def step(self, support, query):
        params = dict(self.net.named_parameters())
        rates = dict(self.rate.items())
        fn = functools.partial(self.adapt_and_test, params, rates)
        losses, self.fast = vmap(fn)(support, query)
        meta = losses.mean()
        self.opt.zero_grad()
        meta.backward()
        self.opt.step()
        return losses


def main():
    cal = MetaCalibrator()
    best = None
    table = []
    for it in range(310):
        losses = cal.step(*devices(4, 6))
        if best is None or losses.mean() < best:
            best = losses.mean()        # only ever the one best value
        table.append(losses.detach().tolist())
        if it % 62 == 61:
            tail = torch.tensor(table[-62:])
            spread = cal.fast["c.bias"].std().item()
            print(f"{it + 1:4d} query mse {tail.mean():.5f} (worst {tail.max():.5f}) bias spread {spread:.4f}")
    print("best batch", round(best.item(), 6))
    print({k: round(v.exp().item(), 4) for k, v in cal.rate.items()})


if __name__ == "__main__":
    main()
