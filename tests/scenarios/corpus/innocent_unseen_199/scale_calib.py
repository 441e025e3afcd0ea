# gradwatch-corpus: kind=none
"""Three-headed regression whose loss scales are measured in a calibration phase, then frozen."""
import torch
from torch import nn
import torch.nn.functional as F

CALIBRATE = 60


class Balancer:
    def __init__(self, names, length):
        self.length = length
        self.samples = {n: [] for n in names}
        self.outputs = []
        self.scales = None
        self.running = {n: None for n in names}

    def observe(self, losses, outputs):
        for n, v in losses.items():
            prev = self.running[n]
            self.running[n] = v.detach() if prev is None else prev * 0.95 + 0.05 * v.detach()
        if self.scales is not None:
            return
        for n, v in losses.items():
            self.samples[n].append(v)
        self.outputs.append(outputs)
        if len(self.outputs) >= self.length:
            with torch.no_grad():
                self.scales = {n: 1 / torch.stack(v).mean() for n, v in self.samples.items()}

    def combine(self, losses):
        if self.scales is None:
            return sum(losses.values())
        return sum(self.scales[n] * v for n, v in losses.items())

    def summary(self):
        first = torch.cat([o["level"] for o in self.outputs]).std().item()
        return {n: v.item() for n, v in self.running.items()}, first


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 40), nn.Mish(), nn.Linear(40, 40), nn.Mish())
        self.heads = nn.ModuleDict({"level": nn.Linear(40, 1), "kind": nn.Linear(40, 4), "risk": nn.Linear(40, 1)})

    def forward(self, x):
        h = self.trunk(x)
        return {n: head(h) for n, head in self.heads.items()}


def batch(gen):
    x = torch.randn(48, 6, generator=gen)
    level = 30 * (x[:, :1] * x[:, 1:2]) + x[:, 2:3]
    kind = (x[:, 3] > 0).long() * 2 + (x[:, 4] > 0.5).long()
    risk = (x.pow(2).sum(1, keepdim=True) > 6).float()
    return x, level, kind, risk


def main():
    torch.manual_seed(60)
    gen = torch.Generator().manual_seed(61)
    net = Heads()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    balancer = Balancer(net.heads, CALIBRATE)
    for it in range(800):
        x, level, kind, risk = batch(gen)
        out = net(x)
        losses = {
            "level": F.smooth_l1_loss(out["level"], level),
            "kind": F.cross_entropy(out["kind"], kind),
            "risk": F.binary_cross_entropy_with_logits(out["risk"], risk),
        }
        total = balancer.combine(losses)
        opt.zero_grad()
        total.backward()
        opt.step()
        balancer.observe(losses, out)
        if it % 160 == 159:
            print(it + 1, *balancer.summary())


main()
