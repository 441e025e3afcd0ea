import torch


def lipschitz_penalty(critic, real, made):
    mix = torch.rand(len(real), 1)
    between = (mix * real + (1 - mix) * made).requires_grad_()
    slope, = torch.autograd.grad(critic(between).sum(), between, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()
