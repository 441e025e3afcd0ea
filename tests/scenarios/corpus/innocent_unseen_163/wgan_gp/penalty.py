import torch


def gradient_penalty(critic, real, fake, weight=10.0):
    eps = torch.rand(real.size(0), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mix)
    grad, = torch.autograd.grad(score, mix, torch.ones_like(score), create_graph=True, retain_graph=True)
    return weight * ((grad.norm(2, dim=1) - 1) ** 2).mean()
