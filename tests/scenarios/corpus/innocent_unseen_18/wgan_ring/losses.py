import torch


def critic(real_score, fake_score):
    return fake_score.mean() - real_score.mean()


def generator(fake_score):
    return -fake_score.mean()


def gradient_penalty(D, real, fake):
    eps = torch.rand(len(real), 1)
    mid = (eps * real + (1 - eps) * fake).requires_grad_(True)
    (g,) = torch.autograd.grad(D(mid).sum(), mid, create_graph=True)
    return (g.norm(dim=1) - 1).square().mean()
