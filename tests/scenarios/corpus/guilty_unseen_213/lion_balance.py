# gradwatch-corpus: kind=graph-chain
# holder: self.scale | norm.scale | self.norm.scale | model.norm.scale
# first-bad: 1
"""Small denoising diffusion on 2-d two-moons with per-bucket loss normalisation, trained with Lion."""
import math

import torch
import torch.nn as nn


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            lr, wd, (b1, b2) = group["lr"], group["weight_decay"], group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state["exp_avg"] = torch.zeros_like(p)
                m = state["exp_avg"]
                p.data.mul_(1 - lr * wd)
                update = m.clone().mul_(b1).add_(p.grad, alpha=1 - b1).sign_()
                p.data.add_(update, alpha=-lr)
                m.mul_(b2).add_(p.grad, alpha=1 - b2)


class BucketNormalizer:
    """Divides each timestep bucket's loss by its running magnitude."""

    def __init__(self, n_buckets, momentum=0.95, eps=1e-3):
        self.n_buckets = n_buckets
        self.momentum = momentum
        self.eps = eps
        self.scale = torch.ones(n_buckets)

    def __call__(self, per_sample, u):
        idx = (u * self.n_buckets).long().clamp(max=self.n_buckets - 1)
        onehot = torch.nn.functional.one_hot(idx, self.n_buckets).float()
        count = onehot.sum(0)
        means = (onehot.t() @ per_sample) / count.clamp(min=1)
        means = torch.where(count > 0, means, self.scale)
        self.scale = torch.lerp(means, self.scale, self.momentum)  # <- culprit
        return (means / (self.scale + self.eps)).mean()


class Denoiser(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.freqs = nn.Buffer(torch.exp(torch.linspace(0, math.log(100), 8)))
        self.net = nn.Sequential(
            nn.Linear(2 + 16, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, 2),
        )
        self.norm = BucketNormalizer(8)

    def forward(self, x, u):
        a = u[:, None] * self.freqs
        return self.net(torch.cat([x, a.sin(), a.cos()], 1))

    def loss(self, x0):
        u = torch.rand(x0.size(0))
        alpha, sigma = torch.cos(u * math.pi / 2), torch.sin(u * math.pi / 2)
        eps = torch.randn_like(x0)
        pred = self(alpha[:, None] * x0 + sigma[:, None] * eps, u)
        per_sample = ((pred - eps) ** 2).mean(1)
        return self.norm(per_sample, u), per_sample.detach().mean()


def moons(n):
    th = torch.rand(n) * math.pi
    flip = (torch.rand(n) < 0.5).float()
    x = torch.stack([torch.cos(th) * (1 - 2 * flip) + flip, torch.sin(th) * (1 - 2 * flip) + 0.5 * flip], 1)
    return x + 0.05 * torch.randn(n, 2)


def main(steps=90):
    torch.manual_seed(1234)
    model = Denoiser()
    opt = Lion(model.parameters(), lr=3e-4, weight_decay=0.01)
    for step in range(steps):
        loss, raw = model.loss(moons(128))
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        if step % 30 == 0:
            print(f"{step:5d} | balanced {loss.item():.3f} | eps-mse {raw.item():.3f}")


if __name__ == "__main__":
    main()
