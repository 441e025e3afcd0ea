import torch


def lipschitz_penalty(critic, real, fake):
    eps = torch.rand(real.shape[0], 1)
    mid = (eps * real + (1 - eps) * fake).requires_grad_(True)
    g, = torch.autograd.grad(critic(mid).sum(), mid, create_graph=True)
    return (g.norm(dim=1) - 1).pow(2).mean()
