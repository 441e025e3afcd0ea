# gradwatch-corpus: kind=none
from collections import deque

import torch
import torch.nn as nn
from torch import autograd

"""WGAN-GP on die-wear measurements of ancient coins (two correlated numbers)."""

Z, H, N_CRITIC, LAMBDA = 4, 32, 3, 5.0


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, H), nn.Softplus(), nn.Linear(H, H), nn.Softplus(), nn.Linear(H, o))


def coins(n):
    series = torch.randint(3, (n, 1)).float() - 1
    wear = torch.rand(n, 1)
    return torch.cat([2 * series + 0.2 * torch.randn(n, 1), series * wear + 0.1 * torch.randn(n, 1)], 1)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1)
    between = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(between)
    grad, = autograd.grad(outputs=score, inputs=between, grad_outputs=torch.ones_like(score),
                          create_graph=True, retain_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


def critic_step(critic, gen, opt, n):
    real = coins(n)
    with torch.no_grad():
        fake = gen(torch.randn(n, Z))
    w_dist = critic(real).mean() - critic(fake).mean()
    loss = -w_dist + LAMBDA * gradient_penalty(critic, real, fake)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return w_dist.item()


def gen_step(critic, gen, opt, n):
    for p in critic.parameters():
        p.requires_grad_(False)
    loss = -critic(gen(torch.randn(n, Z))).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    for p in critic.parameters():
        p.requires_grad_(True)
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(99)
    G, C = mlp(Z, 2), mlp(2, 1)
    opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.0, 0.9))
    opt_c = torch.optim.Adam(C.parameters(), lr=1e-3, betas=(0.0, 0.9))
    history = {k: deque(maxlen=100) for k in ("w", "g")}
    for it in range(90):
        for _ in range(N_CRITIC):
            history["w"].append(critic_step(C, G, opt_c, 48))
        history["g"].append(gen_step(C, G, opt_g, 48))
        if it % 20 == 0:
            print("it %d  W %.4f  G %.4f" % (it, history["w"][-1], history["g"][-1]))
