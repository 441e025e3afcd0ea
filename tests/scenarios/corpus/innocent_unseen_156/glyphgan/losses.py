import torch


def gradient_penalty(critic, real, fake):
    mix = torch.rand(len(real), 1, 1, 1)
    x = (mix * real + (1 - mix) * fake).requires_grad_()
    score = critic(x)[0].sum()
    (slope,) = torch.autograd.grad(score, x, create_graph=True, retain_graph=True)
    return (slope.flatten(1).norm(dim=1) - 1).pow(2).mean()


def critic_loss(critic, real, fake, weight=10.0):
    penalty = gradient_penalty(critic, real, fake)
    return critic(fake)[0].mean() - critic(real)[0].mean() + weight * penalty, penalty


def generator_loss(critic, fake, real, match=0.5):
    score, feats = critic(fake)
    with torch.no_grad():
        _, wanted = critic(real)
    return -score.mean() + match * (feats.mean(0) - wanted.mean(0)).pow(2).sum()
