# gradwatch-corpus: kind=none
# about: four exits walk the common stem one after the other, retain_graph except the last; newest losses kept
"""Multi-exit network: every exit has its own optimiser and its own walk over the common stages (anytime prediction)."""
from __future__ import annotations

import torch
from torch import nn, Tensor

torch.manual_seed(33)


class MultiExit(nn.Module):
    def __init__(self, widths=(32, 32, 48, 48), classes=8):
        super().__init__()
        dims = (18, *widths)
        self.stages = nn.ModuleList(nn.Sequential(nn.Linear(i, o), nn.BatchNorm1d(o), nn.ReLU()) for i, o in zip(dims, widths))
        self.exits = nn.ModuleList(nn.Linear(w, classes) for w in widths)

    def forward(self, x):
        for stage, leave in zip(self.stages, self.exits):
            x = stage(x)
            yield leave(x)

    @torch.no_grad()
    def answer(self, x, confident=.9) -> tuple[Tensor, Tensor]:
        n = len(x)
        label, depth = torch.full((n,), -1), torch.full((n,), len(self.stages))
        rest = torch.arange(n)
        for k, (stage, leave) in enumerate(zip(self.stages, self.exits)):
            x = stage(x)
            p, c = leave(x).softmax(1).max(1)
            go = (p > confident) | (k == len(self.stages) - 1)
            label[rest[go]], depth[rest[go]] = c[go], k + 1
            x, rest = x[~go], rest[~go]
            if not len(rest):
                break
        return label, depth


prototypes = torch.randn(8, 3, 18)


def draw(n):
    c = torch.randint(8, (n,))
    return prototypes[c, torch.randint(3, (n,))] + .8 * torch.randn(n, 18), c


net = MultiExit()
opts = [torch.optim.Adam([*s.parameters(), *e.parameters()], lr=1e-3) for s, e in zip(net.stages, net.exits)]
gains = [torch.zeros(()) for _ in opts]
for it in range(360):
    x, c = draw(64)
    losses = [nn.functional.cross_entropy(o, c) for o in net(x)]
    for o in opts:
        o.zero_grad()
    norms = []
    for k, loss in enumerate(losses):
        (loss * (.5 + .5 * k / 3)).backward(retain_graph=k < len(losses) - 1)
        norms.append(net.stages[0][0].weight.grad.norm().item())
    for o in opts:
        o.step()
    gains = losses                 # the newest round, for the report below
    if it % 40 == 0:
        net.eval()
        xs, cs = draw(400)
        label, depth = net.answer(xs)
        net.train()
        print(f"{it:4d} losses {[round(g.item(), 2) for g in gains]} stem norms {[round(v, 2) for v in norms]} "
              f"accuracy {(label == cs).float().mean():.3f} mean depth {depth.float().mean():.2f}")
