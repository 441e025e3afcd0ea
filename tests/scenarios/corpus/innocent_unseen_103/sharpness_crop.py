# gradwatch-corpus: kind=none
"""Sharpness-aware training of a crop-yield regressor with gradient accumulation over farms
and a curvature probe (Hessian-vector product) now and then."""
import torch
from torch import nn
import torch.nn.functional as F


class SAM:
    def __init__(self, params, base, rho=0.03):
        self.params = list(params)
        self.base = base
        self.rho = rho
        self.offsets = []

    @torch.no_grad()
    def ascend(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-12
        self.offsets = [p.grad * (self.rho / norm) for p in self.params]
        for p, e in zip(self.params, self.offsets):
            p.add_(e)
        self.base.zero_grad()

    @torch.no_grad()
    def descend(self):
        for p, e in zip(self.params, self.offsets):
            p.sub_(e)
        self.base.step()
        self.base.zero_grad()


def curvature(loss, params, iters=3):
    grads = torch.autograd.grad(loss, params, create_graph=True)
    v = [torch.randn_like(p) for p in params]
    eig = 0.0
    for k in range(iters):
        scale = torch.stack([t.norm() for t in v]).norm()
        v = [t / scale for t in v]
        dot = sum((g * t).sum() for g, t in zip(grads, v))
        hv = torch.autograd.grad(dot, params, retain_graph=k < iters - 1)
        eig = sum((a * b).sum() for a, b in zip(hv, v)).item()
        v = [h.detach() for h in hv]
    return eig


def farm(n, effect):
    x = torch.randn(n, 6)
    return x, (x[:, :2].sum(1) - 0.5 * x[:, 2] ** 2 + effect)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(222)
    net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1), nn.Flatten(0))
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    sam = SAM(net.parameters(), opt)
    effects = torch.linspace(-0.5, 0.5, 3).tolist()
    probes = []
    for step in range(310):
        farms = [farm(8, e) for e in effects]
        for phase in (sam.ascend, sam.descend):
            value = 0.0
            for x, y in farms:
                loss = F.huber_loss(net(x), y) / len(farms)
                loss.backward()
                value += loss.item()
            phase()
        if step % 31 == 30:
            x, y = farms[0]
            probes.append(curvature(F.huber_loss(net(x), y), list(net.parameters())))
            print(f"step {step + 1} loss {value:.4f} top curvature {probes[-1]:.3f}")


if __name__ == "__main__":
    main()
