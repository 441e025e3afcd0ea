# gradwatch-corpus: kind=none
import math
from functools import reduce

import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel

torch.manual_seed(2024)


class Soup:
    """Best-k parameter sets seen on validation, plus a plain checkpoint list."""

    def __init__(self, k):
        self.k = k
        self.best = []
        self.checkpoints = []

    def consider(self, model, score, it):
        weights = {n: p.clone() for n, p in model.named_parameters()}
        self.best.append((score, it, weights))
        self.best.sort(key=lambda item: item[0])
        self.best = self.best[: self.k]

    def checkpoint(self, model):
        self.checkpoints.append([p.detach().clone() for p in model.parameters()])
        if len(self.checkpoints) == 10:
            pairs = zip(*self.checkpoints)
            self.checkpoints = [[torch.stack(p).mean(0) for p in pairs]]

    def mixed(self):
        names = self.best[0][2].keys()
        return {n: reduce(torch.add, (w[n] for _, _, w in self.best)).detach() / len(self.best)
                for n in names}


def moons(n, gen):
    t = math.pi * torch.rand(n, generator=gen)
    side = torch.randint(0, 2, (n,), generator=gen)
    x = torch.where(side == 0, t.cos(), 1 - t.cos())
    y = torch.where(side == 0, t.sin(), 0.5 - t.sin())
    return torch.stack([x, y], 1) + 0.15 * torch.randn(n, 2, generator=gen), side


def rotate(pts, angle):
    c, s = math.cos(angle), math.sin(angle)
    return pts @ torch.tensor([[c, -s], [s, c]])


def main(iterations=800):
    gen = torch.Generator().manual_seed(12)
    vx, vy = moons(300, gen)
    model = nn.Sequential(nn.Linear(2, 32), nn.Mish(), nn.Linear(32, 32), nn.Mish(), nn.Linear(32, 2))
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    swa = AveragedModel(model)
    swa_lr = SWALR(opt, swa_lr=0.03, anneal_epochs=50)
    soup = Soup(k=4)
    hardness = 0.0
    score = None
    for it in range(iterations):
        x, y = moons(32, gen)
        angle = hardness * (2 * torch.rand((), generator=gen).item() - 1)
        loss = nn.functional.cross_entropy(model(rotate(x, angle)), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        score = loss if score is None else 0.9 * score.detach() + 0.1 * loss
        hardness = min(0.4, hardness + 0.001 * float(score < 0.3))
        if it % 8 == 7:
            soup.consider(model, score.item(), it)
            soup.checkpoint(model)
        if it >= iterations // 2:
            swa.update_parameters(model)
            swa_lr.step()
        if it % 100 == 99:
            with torch.no_grad():
                acc = (model(vx).argmax(1) == vy).float().mean().item()
            print(f"{it + 1} score {score.item():.3f} hardness {hardness:.3f} acc {acc:.3f}")
    mixed = torch.func.functional_call(model, soup.mixed(), (vx,))
    print("soup", (mixed.argmax(1) == vy).float().mean().item(),
          "swa", (swa(vx).argmax(1) == vy).float().mean().item())


if __name__ == "__main__":
    main()
