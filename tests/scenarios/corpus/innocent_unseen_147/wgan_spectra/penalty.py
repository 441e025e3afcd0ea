import torch


def interpolates(real, fake):
    a = torch.rand(len(real), 1)
    return (a * real + (1 - a) * fake).requires_grad_()


def lipschitz_penalty(critic, real, fake):
    x = interpolates(real, fake)
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (g.norm(dim=1) - 1).pow(2).mean()
