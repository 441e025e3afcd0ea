# gradwatch-corpus: kind=none
"""GradNorm (Chen et al. 2018) over three regression heads that share a trunk."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiTask(nn.Module):
    def __init__(self, d=10, h=48, outs=(1, 1, 2)):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh())
        self.heads = nn.ModuleList(nn.Linear(h, o) for o in outs)

    def forward(self, x):
        z = self.trunk(x)
        return [head(z) for head in self.heads]

    def shared_weight(self):
        return self.trunk[2].weight


class GradNorm:
    def __init__(self, model, n_tasks, alpha=1.2, lr=0.02):
        self.model = model
        self.alpha = alpha
        self.w = torch.ones(n_tasks, requires_grad=True)
        self.opt = torch.optim.Adam([self.w], lr=lr)
        self.initial = None
        self.trace = []

    def backward(self, losses):
        losses = torch.stack(losses)
        if self.initial is None:
            self.initial = losses.detach().clone()
        weighted = self.w * losses
        weighted.sum().backward(retain_graph=True)
        self.w.grad = None

        shared = self.model.shared_weight()
        norms = torch.stack([
            torch.autograd.grad(wl, shared, retain_graph=True, create_graph=True)[0].norm()
            for wl in weighted
        ])
        with torch.no_grad():
            ratio = losses / self.initial
            target = norms.mean() * (ratio / ratio.mean()) ** self.alpha
        gap = (norms - target).abs().sum()
        (self.w.grad,) = torch.autograd.grad(gap, [self.w])
        self.trace.append(gap.item())

    def step(self):
        self.opt.step()
        with torch.no_grad():
            self.w.clamp_(min=0.05)
            self.w.mul_(self.w.numel() / self.w.sum())


def batch(mats, n=64):
    x = torch.randn(n, 10)
    return x, [s * torch.sin(x @ m) for m, s in mats]


def main():
    torch.manual_seed(42)
    mats = [(torch.randn(10, 1), 1.0), (torch.randn(10, 1), 10.0), (torch.randn(10, 2), 3.0)]
    model = MultiTask()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    balancer = GradNorm(model, 3)
    for it in range(120):
        x, ys = batch(mats)
        losses = [F.mse_loss(p, y) for p, y in zip(model(x), ys)]
        opt.zero_grad()
        balancer.backward(losses)
        opt.step()
        balancer.step()
        if it % 30 == 0:
            print(it, [round(l.item(), 3) for l in losses], balancer.w.detach().numpy().round(2), round(balancer.trace[-1], 3))


if __name__ == "__main__":
    main()
