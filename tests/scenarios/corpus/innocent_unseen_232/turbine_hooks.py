# gradwatch-corpus: kind=none
"""Turbine remaining-life regression; taps on two layers feed an auxiliary smoothness loss and a report."""
import contextlib

import torch
from torch import nn


class TurbineFleet:
    def __init__(self, seed, sensors=6, length=40):
        self.gen = torch.Generator().manual_seed(seed)
        self.sensors = sensors
        self.length = length

    def batch(self, n):
        life = torch.rand(n, generator=self.gen)
        t = torch.linspace(0, 1, self.length)
        wear = (t.unsqueeze(0) * (1.5 - life.unsqueeze(1))).pow(2)
        gain = torch.linspace(0.5, 1.5, self.sensors)
        x = wear.unsqueeze(1) * gain.view(1, -1, 1)
        return x + 0.1 * torch.randn(x.shape, generator=self.gen), life


class LifeNet(nn.Module):
    def __init__(self, sensors):
        super().__init__()
        self.stem = nn.Conv1d(sensors, 16, 5, padding=2)
        self.body = nn.Conv1d(16, 16, 5, padding=2, dilation=1)
        self.act = nn.ELU()
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        x = self.act(self.stem(x))
        x = self.act(self.body(x))
        return self.head(x.mean(-1)).squeeze(1)


@contextlib.contextmanager
def tap(*modules):
    caught = []
    handles = [m.register_forward_hook(lambda mod, args, out: caught.append(out)) for m in modules]
    try:
        yield caught
    finally:
        for h in handles:
            h.remove()
        caught.clear()


class GradientMeter:
    """Mean gradient norm a parameter, kept as plain numbers."""

    def __init__(self, net):
        self.net = net
        self.norms = {}
        self.handles = []

    def __enter__(self):
        for name, p in self.net.named_parameters():
            self.handles.append(p.register_hook(self._hook(name)))
        return self

    def _hook(self, name):
        def hook(grad):
            old = self.norms.get(name, 0.0)
            self.norms[name] = 0.9 * old + 0.1 * grad.norm().item()

        return hook

    def __exit__(self, *exc):
        for h in self.handles:
            h.remove()
        self.handles.clear()


def roughness(acts):
    return sum((a[..., 1:] - a[..., :-1]).pow(2).mean() for a in acts) / len(acts)


def main():
    torch.manual_seed(15)
    fleet = TurbineFleet(15)
    net = LifeNet(fleet.sensors)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    errors = []
    with GradientMeter(net) as meter:
        for step in range(120):
            x, life = fleet.batch(32)
            with tap(net.stem, net.body) as acts:
                pred = net(x)
                rough = roughness(acts)
            fit = nn.functional.mse_loss(pred, life)
            loss = fit + 0.05 * rough
            opt.zero_grad()
            loss.backward()
            opt.step()
            errors.append((pred.detach() - life).abs().mean().item())
            if step % 30 == 29:
                print(f"step {step + 1} mae {sum(errors[-30:]) / 30:.4f} rough {rough.item():.4f}")
    for name, norm in meter.norms.items():
        print(f"{name:12s} {norm:.4f}")


if __name__ == "__main__":
    main()
