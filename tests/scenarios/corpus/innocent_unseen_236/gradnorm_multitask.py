# gradwatch-corpus: kind=none
"""GradNorm (Chen et al., 2018): learned task weights from the gradient norms at the shared layer."""
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F

cfg = SimpleNamespace(d_in=16, hidden=40, tasks=("reg", "cls", "rank"), alpha=1.2, lr=2e-3, lr_w=0.02, bs=64, iters=110, seed=55)


class SharedNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(cfg.d_in, cfg.hidden), nn.ReLU())
        self.shared = nn.Linear(cfg.hidden, cfg.hidden)
        self.heads = nn.ModuleDict(
            {
                "reg": nn.Linear(cfg.hidden, 2),
                "cls": nn.Linear(cfg.hidden, 4),
                "rank": nn.Linear(cfg.hidden, 1),
            }
        )

    def forward(self, x):
        h = self.shared(self.trunk(x)).relu()
        return {k: head(h) for k, head in self.heads.items()}


class Problem:
    def __init__(self, d):
        self.a = torch.randn(d, 2)
        self.b = torch.randn(d, 4)
        self.c = torch.randn(d)

    def batch(self, n):
        x = torch.randn(n, self.a.size(0))
        y = {
            "reg": 5.0 * torch.tanh(torch.einsum("nd,dk->nk", x, self.a)),
            "cls": torch.einsum("nd,dk->nk", x, self.b).argmax(-1),
            "rank": torch.einsum("nd,d->n", x, self.c),
        }
        return x, y


def rank_loss(score, ref):
    s = score[:, None] - score[None, :]
    t = (ref[:, None] > ref[None, :]).float()
    return F.binary_cross_entropy_with_logits(s, t)


def task_losses(out, y):
    return torch.stack(
        [
            F.mse_loss(out["reg"], y["reg"]),
            F.cross_entropy(out["cls"], y["cls"]),
            rank_loss(out["rank"].squeeze(-1), y["rank"]),
        ]
    )


def gradnorm_objective(losses, w, initial, layer, alpha):
    norms = []
    for wi, li in zip(w, losses):
        (g,) = torch.autograd.grad(wi * li, layer.weight, create_graph=True)
        norms.append(g.norm())
    norms = torch.stack(norms)
    with torch.no_grad():
        rate = losses / initial
        rate = rate / rate.mean()
        goal = norms.mean() * rate.pow(alpha)
    return (norms - goal).abs().sum()


def main():
    torch.manual_seed(cfg.seed)
    problem = Problem(cfg.d_in)
    net = SharedNet(cfg)
    w = torch.ones(len(cfg.tasks), requires_grad=True)
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    opt_w = torch.optim.SGD([w], lr=cfg.lr_w)
    initial = None
    trace = []
    for it in range(cfg.iters):
        x, y = problem.batch(cfg.bs)
        losses = task_losses(net(x), y)
        if initial is None:
            initial = losses.detach().clone()
        gn = gradnorm_objective(losses, w, initial, net.shared, cfg.alpha)
        (w_grad,) = torch.autograd.grad(gn, w)
        opt.zero_grad()
        (w.detach() * losses).sum().backward()
        opt.step()
        w.grad = w_grad
        opt_w.step()
        with torch.no_grad():
            w.clamp_(min=0.05).mul_(len(cfg.tasks) / w.sum())
        trace.append(torch.cat([losses.detach(), w.detach().clone()]))
        if (it + 1) % 22 == 0:
            m = torch.stack(trace).mean(0)
            trace.clear()
            n = len(cfg.tasks)
            row = " ".join(f"{t}={m[i]:.3f}(w {m[n + i]:.2f})" for i, t in enumerate(cfg.tasks))
            print(f"{it + 1:4d} {row}")


if __name__ == "__main__":
    main()
