import torch


def gradient_penalty(critic, real, fake):
    a = torch.rand(real.size(0), 1)
    x = (a * real + (1 - a) * fake).requires_grad_(True)
    g, = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (g.norm(2, dim=1) - 1).pow(2).mean()
