import torch


def critic_loss(score_real, score_fake):
    return score_fake.mean() - score_real.mean()


def generator_loss(score_fake):
    return -score_fake.mean()


def gradient_penalty(critic, real, fake):
    t = torch.rand(len(real), 1)
    mixed = (t * real + (1 - t) * fake).requires_grad_(True)
    score = critic(mixed)
    grad, = torch.autograd.grad(score.sum(), mixed, create_graph=True)
    return (grad.norm(2, dim=1) - 1).pow(2).mean()
