# gradwatch-corpus: kind=none
import copy
from collections import defaultdict
from contextlib import contextmanager

import torch
import torch.nn as nn
import torch.nn.functional as F


class FiLMConv(nn.Module):
    def __init__(self, ci, co, td):
        super().__init__()
        self.conv = nn.Conv1d(ci, co, 5, padding=2)
        self.film = nn.Linear(td, 2 * co)
        self.norm = nn.GroupNorm(4, co)

    def forward(self, x, t):
        g, b = self.film(t)[..., None].chunk(2, 1)
        return F.silu(self.norm(self.conv(x)) * (1 + g) + b)


class UNet1d(nn.Module):
    def __init__(self, c=16, td=24):
        super().__init__()
        self.tm = nn.Sequential(nn.Linear(1, td), nn.SiLU(), nn.Linear(td, td))
        self.d1, self.d2 = FiLMConv(1, c, td), FiLMConv(c, 2 * c, td)
        self.mid = FiLMConv(2 * c, 2 * c, td)
        self.u1 = FiLMConv(3 * c, c, td)
        self.out = nn.Conv1d(c, 1, 1)

    def forward(self, x, sigma):
        t = self.tm(sigma.log()[:, None] / 4)
        a = self.d1(x, t)
        b = self.d2(F.avg_pool1d(a, 2), t)
        m = F.interpolate(self.mid(b, t), scale_factor=2)
        return self.out(self.u1(torch.cat([m, a], 1), t))


class EMA:
    def __init__(self, model, decay=0.98):
        self.shadow = copy.deepcopy(model).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.copy_(self.decay * s + (1 - self.decay) * p)


@contextmanager
def activation_probe(model, names):
    store, handles = {}, []

    def mk(n):
        def hook(_, __, out):
            store[n] = out
        return hook

    for n, m in model.named_modules():
        if n in names:
            handles.append(m.register_forward_hook(mk(n)))
    try:
        yield store
    finally:
        for h in handles:
            h.remove()
        store.clear()


def ecg(n, L=64):
    t = torch.linspace(0, 1, L)
    c = 0.3 + 0.4 * torch.rand(n, 1)
    return (torch.exp(-((t - c) / 0.03) ** 2) + 0.3 * torch.exp(-((t - c - 0.15) / 0.06) ** 2))[:, None]


def main():
    torch.manual_seed(19)
    net = UNet1d()
    ema, opt = EMA(net), torch.optim.Adam(net.parameters(), lr=1e-3)
    by_sigma = defaultdict(list)
    act_stats = []
    for it in range(120):
        x = ecg(24)
        sigma = (torch.randn(24) * 1.0 - 1.0).exp()
        noisy = x + sigma[:, None, None] * torch.randn_like(x)
        if it % 10 == 0:
            with activation_probe(net, {"d2", "mid"}) as acts:
                pred = net(noisy, sigma)
                act_reg = sum(a.pow(2).mean() for a in acts.values())
                act_stats.append({k: v.abs().mean().item() for k, v in acts.items()})
        else:
            pred, act_reg = net(noisy, sigma), 0.0
        per = (pred - x).pow(2).mean((1, 2))
        for s, l in zip(sigma.tolist(), per.detach().tolist()):
            by_sigma[int(s > 0.4)].append(l)
        loss = per.mean() + 1e-4 * act_reg
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(net)
        if it % 40 == 39:
            print(it + 1, {k: round(sum(v) / len(v), 4) for k, v in sorted(by_sigma.items())}, act_stats[-1])
            by_sigma.clear()


if __name__ == "__main__":
    main()
