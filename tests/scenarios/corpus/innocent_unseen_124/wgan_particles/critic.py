import torch


def slope_penalty(critic, real, fake):
    mix = torch.rand(len(real), 1)
    point = (mix * real + (1 - mix) * fake).requires_grad_()
    (slope,) = torch.autograd.grad(critic(point).sum(), point, create_graph=True)
    return (slope.norm(dim=1) - 1).pow(2).mean()


def critic_loss(critic, real, fake, lam=10.0):
    return critic(fake).mean() - critic(real).mean() + lam * slope_penalty(critic, real, fake)
