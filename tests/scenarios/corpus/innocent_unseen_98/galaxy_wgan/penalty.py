import torch


def gradient_penalty(critic, real, fake):
    eps = torch.rand(len(real), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mix)
    grad = torch.autograd.grad(score, mix, grad_outputs=torch.ones_like(score),
                               create_graph=True, retain_graph=True)[0]
    return ((grad.norm(dim=1) - 1) ** 2).mean()
