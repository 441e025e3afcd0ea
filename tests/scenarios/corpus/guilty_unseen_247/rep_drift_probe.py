# gradwatch-corpus: kind=graph-held
# holder: trace | self.trace | probe.trace | trace["trunk"] | trace[name] | probe.trace["trunk"] | store | probe
# first-bad: 1
"""How do penultimate features drift while a regressor is trained? Linear CKA of first vs. later batches."""
from collections import defaultdict
from dataclasses import dataclass, field

import torch
from torch import nn


def linear_cka(a, b):
    a = a - a.mean(0)
    b = b - b.mean(0)
    cross = torch.linalg.matrix_norm(a.t() @ b) ** 2
    return (cross / (torch.linalg.matrix_norm(a.t() @ a) * torch.linalg.matrix_norm(b.t() @ b))).item()


@dataclass
class DriftProbe:
    trace: dict = field(default_factory=lambda: defaultdict(list))
    handles: list = field(default_factory=list)

    def attach(self, module, name):
        store = self.trace[name]

        def record(mod, args, output):
            if mod.training:
                store.append(output)  # <- culprit

        self.handles.append(module.register_forward_hook(record))

    def drift(self, name, lag):
        seen = self.trace[name]
        if len(seen) <= lag:
            return float("nan")
        return linear_cka(seen[-1].detach(), seen[-1 - lag].detach())

    def close(self):
        for h in self.handles:
            h.remove()
        self.handles.clear()


class Regressor(nn.Module):
    def __init__(self, d, width):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(d, width),
            nn.Softplus(),
            nn.Dropout(0.1),
            nn.Linear(width, width),
            nn.Softplus(),
        )
        self.mean = nn.Linear(width, 1)
        self.log_var = nn.Linear(width, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.mean(h), self.log_var(h).clamp(-6, 4)


def gaussian_nll(mean, log_var, y):
    return (0.5 * log_var + 0.5 * (y - mean) ** 2 * torch.exp(-log_var)).mean()


def lion(parameters, lr=3e-4, betas=(0.9, 0.99)):
    momentum = {p: torch.zeros_like(p) for p in parameters}

    @torch.no_grad()
    def step():
        for p, m in momentum.items():
            direction = (betas[0] * m + (1 - betas[0]) * p.grad).sign()
            p.add_(direction, alpha=-lr)
            m.mul_(betas[1]).add_(p.grad, alpha=1 - betas[1])
            p.grad = None

    return step


def main():
    torch.manual_seed(8)
    d = 16
    x = torch.randn(64, d)
    w = torch.randn(d, 1)
    model = Regressor(d, 64)
    model.train()
    probe = DriftProbe()
    probe.attach(model.trunk, "trunk")
    step = lion(list(model.parameters()))
    for it in range(140):
        y = torch.sin(x @ w / 3) + 0.05 * torch.randn(64, 1)
        mean, log_var = model(x)
        loss = gaussian_nll(mean, log_var, y)
        loss.backward()
        step()
        if it % 28 == 27:
            print(f"{it:4d} nll {loss.item():.4f} cka(1) {probe.drift('trunk', 1):.4f} cka(25) {probe.drift('trunk', 25):.4f}")
    probe.close()


if __name__ == "__main__":
    main()
