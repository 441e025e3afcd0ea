# gradwatch-corpus: kind=none
# WGAN with gradient penalty on ring data; generator has two objectives whose
# weights are balanced by the size of their gradients (GradNorm style).
import math
import torch
from torch import nn, autograd

torch.set_num_threads(1)
torch.manual_seed(2)


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.Softplus()]
    return nn.Sequential(*layers[:-1])


G, D = mlp(4, 24, 24, 2), mlp(2, 24, 24, 1)
log_w = nn.Parameter(torch.zeros(2))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))
opt_w = torch.optim.SGD([log_w], lr=0.02)
N, LAMBDA = 24, 5.0
penalties = []


def ring(n):
    a = torch.randint(8, (n,)) * (2 * math.pi / 8)
    return torch.stack([a.cos(), a.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


def gradient_penalty(real, fake):
    mix = torch.lerp(real, fake, torch.rand(len(real), 1)).requires_grad_()
    g, = autograd.grad(D(mix).sum(), mix, create_graph=True)
    return (g.norm(dim=1) - 1).pow(2).mean()


def critic_step():
    real = ring(N)
    fake = G(torch.randn(N, 4)).detach()
    gp = gradient_penalty(real, fake)
    w = D(real).mean() - D(fake).mean()
    opt_d.zero_grad()
    (-w + LAMBDA * gp).backward()
    opt_d.step()
    penalties.append(gp.item())
    return w.item()


def generator_step():
    fake = G(torch.randn(N, 4))
    terms = torch.stack([-D(fake).mean(), (fake.norm(dim=1) - 2).pow(2).mean()])
    weights = torch.softmax(log_w, 0) * 2
    shared = G[-1].weight
    # one gradient per term through the same forward pass, differentiable in the weights
    norms = []
    for w, term in zip(weights, terms):
        g, = autograd.grad(w * term, shared, retain_graph=True, create_graph=True)
        norms.append(g.norm())
    norms = torch.stack(norms)
    balance = (norms - norms.mean().detach()).abs().sum()
    gw, = autograd.grad(balance, log_w, retain_graph=True)
    opt_g.zero_grad()
    (weights.detach() * terms).sum().backward()
    opt_g.step()
    log_w.grad = gw
    opt_w.step()
    return terms.detach()


for it in range(220):
    for _ in range(2):
        w = critic_step()
    terms = generator_step()
    if it % 40 == 39:
        print(f"{it + 1} W {w:+.3f} gp {sum(penalties[-80:]) / 80:.3f} "
              f"adv {terms[0]:+.3f} radius {terms[1]:.3f} weights {torch.softmax(log_w.detach(), 0).tolist()}")
