# gradwatch-corpus: kind=none
"""Soil model with three targets; conflicting gradients are projected before the update."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(73)
TARGETS = ("clay", "carbon", "ph")


class Soil(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(9, 16), nn.ReLU(), nn.Linear(16, 8), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(8, 1) for t in TARGETS})

    def forward(self, spectrum):
        z = self.trunk(spectrum)
        return {t: head(z).squeeze(1) for t, head in self.heads.items()}


def samples(n=24):
    s = torch.randn(n, 9)
    return s, {"clay": s[:, 0] * s[:, 1], "carbon": s[:, 2].abs(), "ph": s[:, 3] - s[:, 0]}


def flat_gradients(net, losses):
    params = list(net.trunk.parameters())
    rows = []
    names = list(losses)
    for name in names:
        net.zero_grad()
        losses[name].backward(retain_graph=name != names[-1])
        rows.append(torch.cat([p.grad.flatten() for p in params]).clone())
        for p in net.heads[name].parameters():
            p.kept = p.grad.clone()
    return rows


def project(rows):
    out = []
    for i, g in enumerate(rows):
        g = g.clone()
        for j, other in enumerate(rows):
            dot = g @ other
            if i != j and dot < 0:
                g -= dot / other.square().sum().clamp(min=1e-9) * other
        out.append(g)
    return torch.stack(out).mean(0)


net = Soil()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for it in range(500):
    spectrum, truth = samples()
    guess = net(spectrum)
    losses = {t: nn.functional.mse_loss(guess[t], truth[t]) for t in TARGETS}
    merged = project(flat_gradients(net, losses))
    at = 0
    for p in net.trunk.parameters():
        p.grad = merged[at:at + p.numel()].view_as(p).clone()
        at += p.numel()
    for p in net.heads.parameters():
        p.grad = p.kept
    opt.step()
    if it % 100 == 0:
        print(it, {t: round(l.item(), 4) for t, l in losses.items()})
