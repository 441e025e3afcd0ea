import torch


def gradient_penalty(critic, real, fake):
    mix = torch.rand(len(real), 1, 1, 1)
    between = (mix * real + (1 - mix) * fake).requires_grad_(True)
    slope, = torch.autograd.grad(critic(between).sum(), between, create_graph=True)
    return (slope.flatten(1).norm(dim=1) - 1).pow(2).mean()
