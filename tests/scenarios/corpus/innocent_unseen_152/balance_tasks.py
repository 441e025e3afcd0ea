# gradwatch-corpus: kind=none
"""Predictive maintenance on pump vibration: two heads whose weights follow their gradient norms."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class PumpConfig:
    window: int = 64
    batch: int = 16
    iterations: int = 100
    lr: float = 3e-3
    pull: float = 0.2


class PumpNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv1d(1, 8, 9, stride=2), nn.ReLU(), nn.Conv1d(8, 8, 5, stride=2), nn.ReLU())
        self.shared = nn.Linear(8 * 12, 24)
        self.wear = nn.Linear(24, 1)
        self.fault = nn.Linear(24, 3)

    def forward(self, signal):
        h = self.trunk(signal.unsqueeze(1)).flatten(1)
        h = torch.relu(self.shared(h))
        return self.wear(h).squeeze(-1), self.fault(h)


class NormBalancer:
    """Moves each task weight toward equal gradient norm at the shared layer."""

    def __init__(self, parameter, names, pull):
        self.parameter = parameter
        self.weights = {name: 1.0 for name in names}
        self.pull = pull

    def combine(self, losses):
        norms = {}
        for name, loss in losses.items():
            (grad,) = torch.autograd.grad(loss, self.parameter, retain_graph=True)
            norms[name] = grad.norm().item() + 1e-8
        mean = sum(norms.values()) / len(norms)
        for name, norm in norms.items():
            goal = mean / norm
            self.weights[name] += self.pull * (min(max(goal, 0.2), 5.0) - self.weights[name])
        return sum(self.weights[name] * loss for name, loss in losses.items())


def vibration(cfg, gen):
    t = torch.arange(cfg.window) / cfg.window
    wear = torch.rand(cfg.batch, generator=gen)
    fault = torch.randint(0, 3, (cfg.batch,), generator=gen)
    base = torch.sin(6.28 * (4 + 3 * fault.float().unsqueeze(1)) * t)
    return base + wear.unsqueeze(1) * torch.randn(cfg.batch, cfg.window, generator=gen), wear, fault


def main():
    torch.set_num_threads(1)
    torch.manual_seed(140)
    cfg = PumpConfig()
    gen = torch.Generator().manual_seed(141)
    net = PumpNet()
    optimizer = torch.optim.Adam(net.parameters(), cfg.lr)
    balancer = NormBalancer(net.shared.weight, ["wear", "fault"], cfg.pull)
    for it in range(cfg.iterations):
        signal, wear, fault = vibration(cfg, gen)
        pred_wear, pred_fault = net(signal)
        losses = {"wear": F.mse_loss(pred_wear, wear), "fault": F.cross_entropy(pred_fault, fault)}
        total = balancer.combine(losses)
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        if it % 25 == 24:
            shown = {name: round(loss.item(), 4) for name, loss in losses.items()}
            print(it + 1, shown, {name: round(w, 2) for name, w in balancer.weights.items()})


if __name__ == "__main__":
    main()
