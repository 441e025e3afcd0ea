# gradwatch-corpus: kind=none
"""Wasserstein critic and generator on a spiral, with a gradient penalty."""
import torch
from torch import autograd, nn

LAMBDA, BATCH, STEPS = 5.0, 48, 60


class Scaled(autograd.Function):
    """Identity whose gradient is scaled; softens what the critic tells the generator."""

    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None


def net(d_in, d_out):
    return nn.Sequential(nn.Linear(d_in, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, d_out))


class Wgan:
    def __init__(self):
        self.gen, self.critic = net(3, 2), net(2, 1)
        self.g_opt = torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.c_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3, betas=(0.0, 0.9))
        self.log = {"critic": [], "penalty": [], "gen": []}

    def fake(self, n):
        return self.gen(torch.randn(n, 3))

    def penalty(self, real, fake):
        mix = torch.rand(len(real), 1)
        point = (mix * real + (1 - mix) * fake).requires_grad_()
        (slope,) = autograd.grad(self.critic(point).sum(), point, create_graph=True)
        return (slope.norm(dim=1) - 1).square().mean()

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.fake(len(real))
        gap = self.critic(fake).mean() - self.critic(real).mean()
        gp = self.penalty(real, fake)
        self.c_opt.zero_grad()
        (gap + LAMBDA * gp).backward()
        self.c_opt.step()
        self.log["critic"].append(gap.item())
        self.log["penalty"].append(gp.item())

    def gen_step(self, n):
        self.critic.requires_grad_(False)
        loss = -self.critic(Scaled.apply(self.fake(n), 0.7)).mean()
        self.g_opt.zero_grad()
        loss.backward()
        self.g_opt.step()
        self.critic.requires_grad_(True)
        self.log["gen"].append(loss.item())


def spiral(n):
    t = torch.rand(n) * 6
    return torch.stack([t.cos() * t, t.sin() * t], 1) / 4 + 0.03 * torch.randn(n, 2)


def main():
    torch.manual_seed(26)
    job = Wgan()
    for step in range(STEPS):
        for _ in range(3):
            job.critic_step(spiral(BATCH))
        job.gen_step(BATCH)
        if step % 15 == 0:
            print(step, {k: round(v[-1], 4) for k, v in job.log.items()})


if __name__ == "__main__":
    main()
