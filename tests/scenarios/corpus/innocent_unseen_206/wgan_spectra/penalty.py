import torch


def gradient_penalty(critic, real, fake, rng):
    mix = torch.rand(len(real), 1, generator=rng)
    point = (mix * real + (1 - mix) * fake).requires_grad_(True)
    score = critic(point)
    slope, = torch.autograd.grad(score.sum(), point, create_graph=True)
    return (slope.norm(dim=1) - 1).pow(2).mean()
