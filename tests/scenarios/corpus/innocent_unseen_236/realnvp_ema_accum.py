# gradwatch-corpus: kind=none
"""RealNVP on a two-spiral density: gradient accumulation, EMA weights, rolling reference batch, in-memory checkpoint."""
import copy
import io
import math
from collections import deque

import torch
import torch.nn as nn

config = {
    "flow": {"layers": 6, "hidden": 40},
    "train": {"updates": 60, "micro": 3, "batch": 64, "lr": 1e-3, "ema": 0.95},
    "eval": {"every": 15, "window": 5},
}


class Coupling(nn.Module):
    def __init__(self, hidden, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 2))
        self.gain = nn.Parameter(torch.zeros(()))

    def forward(self, x):
        a, b = x.chunk(2, dim=-1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, dim=-1)
        s = self.gain * torch.tanh(s)
        b = b * s.exp() + t
        pair = (b, a) if self.flip else (a, b)
        return torch.cat(pair, dim=-1), s.sum(-1)

    def inverse(self, y):
        a, b = y.chunk(2, dim=-1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, dim=-1)
        b = (b - t) * (-self.gain * torch.tanh(s)).exp()
        pair = (b, a) if self.flip else (a, b)
        return torch.cat(pair, dim=-1)


class RealNVP(nn.Module):
    def __init__(self, layers, hidden):
        super().__init__()
        self.layers = nn.ModuleList([Coupling(hidden, i % 2 == 1) for i in range(layers)])
        self.trace = []

    def log_prob(self, x):
        self.trace = []
        log_det = x.new_zeros(x.size(0))
        for layer in self.layers:
            x, ld = layer(x)
            log_det = log_det + ld
            self.trace.append(ld)
        base = -0.5 * x.square().sum(-1) - math.log(2.0 * math.pi)
        return base + log_det

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, 2)
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z


def spirals(n):
    r = torch.rand(n).sqrt() * 3.0
    th = 2.0 * r + math.pi * torch.randint(0, 2, (n,))
    return torch.stack([r * th.cos(), r * th.sin()], dim=-1) / 1.5 + 0.05 * torch.randn(n, 2)


class Ema:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = copy.deepcopy(model).requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.mul_(self.decay).add_(p, alpha=1.0 - self.decay)


def main():
    torch.manual_seed(29)
    cfg = config["train"]
    flow = RealNVP(**config["flow"])
    ema = Ema(flow, cfg["ema"])
    opt = torch.optim.AdamW(flow.parameters(), lr=cfg["lr"])
    reference = deque(maxlen=config["eval"]["window"])
    best = (float("inf"), None)
    smooth = None
    for up in range(cfg["updates"]):
        opt.zero_grad()
        nll_sum = torch.zeros(())
        for _ in range(cfg["micro"]):
            x = spirals(cfg["batch"])
            nll = -flow.log_prob(x).mean()
            vol = torch.stack(flow.trace).square().mean()
            ((nll + 1e-3 * vol) / cfg["micro"]).backward()
            nll_sum += nll.detach() / cfg["micro"]
        nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
        opt.step()
        ema.update(flow)
        reference.append(x)
        smooth = nll_sum if smooth is None else 0.9 * smooth + 0.1 * nll_sum
        if (up + 1) % config["eval"]["every"] == 0:
            with torch.no_grad():
                val = -ema.shadow.log_prob(torch.cat(list(reference))).mean().item()
            if val < best[0]:
                blob = io.BytesIO()
                torch.save(ema.shadow.state_dict(), blob)
                best = (val, blob)
            spread = ema.shadow.sample(200).std(0).tolist()
            print(f"update {up + 1} nll {smooth.item():.3f} ema-val {val:.3f} std {spread[0]:.2f}/{spread[1]:.2f}")
    best[1].seek(0)
    flow.load_state_dict(torch.load(best[1]))
    print(f"restored {best[0]:.3f}")


if __name__ == "__main__":
    main()
