# gradwatch-corpus: kind=none
"""GradNorm on three regression tasks of very different scale."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class MultiHead(nn.Module):
    def __init__(self, n_in, width, n_tasks):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, width), nn.ReLU())
        self.shared = nn.Linear(width, width)
        self.heads = nn.ModuleList(nn.Linear(width, 1) for _ in range(n_tasks))

    def forward(self, x):
        h = torch.tanh(self.shared(self.body(x)))
        return [head(h).squeeze(1) for head in self.heads]


class GradNorm:
    def __init__(self, n_tasks, alpha=1.2, lr=0.02):
        self.w = nn.Parameter(torch.ones(n_tasks))
        self.alpha = alpha
        self.opt = torch.optim.Adam([self.w], lr=lr)
        self.initial = None
        self.history = []

    def weighted(self, losses):
        if self.initial is None:
            self.initial = losses.detach().clone()
        return (self.w * losses).sum()

    def step(self, losses, shared):
        norms = []
        for i, loss in enumerate(losses):
            g, = torch.autograd.grad(self.w[i] * loss, shared, retain_graph=True, create_graph=True)
            norms.append(g.norm())
        norms = torch.stack(norms)
        with torch.no_grad():
            rate = losses / self.initial
            rate = rate / rate.mean()
            target = norms.mean() * rate ** self.alpha
        objective = F.l1_loss(norms, target, reduction="sum")
        self.opt.zero_grad()
        self.w.grad = torch.autograd.grad(objective, self.w)[0]
        self.opt.step()
        with torch.no_grad():
            self.w.clamp_(min=0.05).mul_(len(self.w) / self.w.sum())
        self.history.append(self.w.detach().tolist())


def batch(n, gen):
    x = torch.randn(n, 6, generator=gen)
    return x, [x.sum(1), 5 * torch.sin(x[:, 0] * 2), 0.2 * x[:, 1] * x[:, 2]]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--bs", type=int, default=64)
    args = ap.parse_args()
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    model, balance = MultiHead(6, 24, 3), GradNorm(3)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=3)
    for step in range(args.steps):
        x, ys = batch(args.bs, gen)
        losses = torch.stack([F.mse_loss(p, y) for p, y in zip(model(x), ys)])
        total = balance.weighted(losses)
        opt.zero_grad()
        total.backward(retain_graph=True)
        balance.step(losses, model.shared.weight)
        opt.step()
        if step % 20 == 0:
            with torch.no_grad():
                vx, vy = batch(128, gen)
                val = sum(F.mse_loss(p, y).item() for p, y in zip(model(vx), vy))
            plateau.step(val)
            print(f"{step:4d} losses {[round(v, 3) for v in losses.tolist()]} "
                  f"w {[round(v, 3) for v in balance.history[-1]]} val {val:.3f}")


if __name__ == "__main__":
    main()
