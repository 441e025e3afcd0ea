import torch


def gradient_penalty(critic, real, fake):
    mix = torch.rand(len(real), 1)
    point = torch.lerp(real, fake, mix).requires_grad_(True)
    score = critic(point)
    grad, = torch.autograd.grad(score.sum(), point, create_graph=True)
    return (grad.norm(dim=1) - 1).square().mean()
