# gradwatch-corpus: kind=none
"""Crop yield, moisture and pest pressure from one trunk; conflicting gradients are projected."""
import torch
from torch import nn

torch.set_num_threads(1)


class Trunk(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(8, 20), nn.ReLU(), nn.Linear(20, 10), nn.ReLU())
        self.heads = nn.ModuleDict({h: nn.Linear(10, 1) for h in heads})

    def forward(self, x):
        z = self.shared(x)
        return {h: m(z).squeeze(1) for h, m in self.heads.items()}


class ProjectedGradients:
    """Each task's gradient loses the component that works against another task."""

    def __init__(self, params, opt):
        self.params, self.opt = list(params), opt

    def _flat(self):
        return torch.cat([torch.zeros(p.numel()) if p.grad is None else p.grad.flatten() for p in self.params])

    def step(self, losses):
        flats = []
        for loss in losses:
            self.opt.zero_grad()
            loss.backward(retain_graph=loss is not losses[-1])
            flats.append(self._flat().clone())
        merged = torch.zeros_like(flats[0])
        for i, g in enumerate(flats):
            g = g.clone()
            for j, other in enumerate(flats):
                dot = g @ other
                if i != j and dot < 0:
                    g -= dot / (other @ other + 1e-12) * other
            merged += g
        at = 0
        for p in self.params:
            p.grad = merged[at:at + p.numel()].view_as(p).clone()
            at += p.numel()
        self.opt.step()


def fields(n):
    x = torch.randn(n, 8)
    return x, {"yield": x[:, 0] - x[:, 1], "moisture": x[:, 1] + x[:, 2].abs(), "pest": -x[:, 0] * x[:, 3]}


if __name__ == "__main__":
    torch.manual_seed(33)
    net = Trunk(["yield", "moisture", "pest"])
    pg = ProjectedGradients(net.parameters(), torch.optim.SGD(net.parameters(), lr=0.02))
    for it in range(600):
        x, ys = fields(24)
        out = net(x)
        losses = [(out[k] - ys[k]).square().mean() for k in ys]
        pg.step(losses)
        if it % 100 == 0:
            print(it, [round(l.item(), 3) for l in losses])
