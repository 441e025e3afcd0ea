import torch


def gradient_penalty(critic, real, fake, energy):
    eps = torch.rand(len(real), 1)
    x = (eps * real + (1 - eps) * fake).detach().requires_grad_(True)
    score = critic(x, energy)
    grad, = torch.autograd.grad(score.sum(), x, create_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()
