import torch

from .registry import provides


@provides("penalty", "gp")
def gradient_penalty(critic, real, fake):
    eps = torch.rand(len(real), 1, 1, 1)
    mid = (eps * real + (1 - eps) * fake).requires_grad_()
    score = critic(mid).sum()
    (g,) = torch.autograd.grad(score, mid, create_graph=True)
    return 10.0 * (g.flatten(1).norm(dim=1) - 1).square().mean()


@provides("penalty", "r1")
def r1(critic, real, fake):
    real = real.detach().requires_grad_()
    (g,) = torch.autograd.grad(critic(real).sum(), real, create_graph=True)
    return 0.5 * g.flatten(1).square().sum(1).mean()


@provides("loss", "wasserstein")
def wasserstein(real_score, fake_score):
    return fake_score.mean() - real_score.mean()
