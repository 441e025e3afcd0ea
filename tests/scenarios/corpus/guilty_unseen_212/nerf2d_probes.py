# gradwatch-corpus: kind=graph-held
# holder: store | self.probes | field.probes | field.probes[name]
# first-bad: 1
"""Fit a 2-D radiance-field-like image function with Fourier features."""
import math
from dataclasses import dataclass, field as dc_field

import torch
from torch import nn


@dataclass
class FieldConfig:
    n_freq: int = 6
    hidden: int = 64
    depth: int = 3
    rays: int = 512
    iters: int = 150
    lr: float = 2e-3
    watch: list = dc_field(default_factory=lambda: ["layers.0", "layers.2", "rgb"])


def encode(xy, n_freq):
    bands = 2.0 ** torch.arange(n_freq) * math.pi
    ang = xy[..., None] * bands
    return torch.cat([ang.sin(), ang.cos()], -1).flatten(-2)


class ProbedModule(nn.Module):
    """Keeps the activation scale of chosen submodules."""

    def __init__(self):
        super().__init__()
        self.probes = {}

    def attach(self, names):
        mods = dict(self.named_modules())
        for name in names:
            self.probes[name] = []
            mods[name].register_forward_hook(self._make_probe(self.probes[name]))

    @staticmethod
    def _make_probe(store):
        def probe(mod, args, out):
            store.append(out.pow(2).mean().sqrt())  # <- culprit
        return probe

    def probe_report(self, last=10):
        return {k: sum(float(x) for x in v[-last:]) / max(1, len(v[-last:])) for k, v in self.probes.items()}


class ImageField(ProbedModule):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        dims = [4 * cfg.n_freq] + [cfg.hidden] * cfg.depth
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.rgb = nn.Linear(cfg.hidden, 3)

    def forward(self, xy):
        h = encode(xy, self.cfg.n_freq)
        for layer in self.layers:
            h = torch.relu(layer(h))
        return torch.sigmoid(self.rgb(h))


def target_image(xy):
    r = (xy - 0.5).norm(dim=-1)
    return torch.stack([(12 * r).sin() * 0.5 + 0.5, xy[:, 0] * (1 - xy[:, 1]), (r < 0.3).float()], -1)


def main():
    torch.manual_seed(21)
    cfg = FieldConfig()
    field = ImageField(cfg)
    field.attach(cfg.watch)
    opt = torch.optim.Adam(field.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.99)
    for i in range(cfg.iters):
        xy = torch.rand(cfg.rays, 2)
        loss = ((field(xy) - target_image(xy)) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if i % 30 == 0:
            psnr = -10 * math.log10(loss.item())
            print(i, f"psnr {psnr:.2f}", {k: round(v, 3) for k, v in field.probe_report().items()})


if __name__ == "__main__":
    main()
