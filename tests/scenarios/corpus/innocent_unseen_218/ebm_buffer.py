# gradwatch-corpus: kind=none
# Conditional EBM (JEM flavour) with SGLD replay buffer, Du & Mordatch style. Spectral norm on all layers.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import spectral_norm

torch.manual_seed(23)

D, C, BUF, BS = 8, 3, 500, 64
mu = 2.0 * torch.randn(C, D)


def real_batch():
    y = torch.randint(0, C, (BS,))
    return mu[y] + 0.5 * torch.randn(BS, D), y


def build():
    layers = []
    for i, o in ((D, 64), (64, 64)):
        layers += [spectral_norm(nn.Linear(i, o)), nn.ELU()]
    return nn.Sequential(*layers, nn.Linear(64, C))


def sgld(net, x, n=8, step=0.2, noise=0.02):
    net.eval()
    for p in net.parameters():
        p.requires_grad_(False)
    x = x.clone().requires_grad_(True)
    for _ in range(n):
        score = torch.logsumexp(net(x), 1).sum()
        g, = torch.autograd.grad(score, [x])
        x.data += step * g + noise * torch.randn_like(x)
    for p in net.parameters():
        p.requires_grad_(True)
    net.train()
    return x.detach()


net = build()
optim = torch.optim.Adam(net.parameters(), lr=1e-3)
warm = torch.optim.lr_scheduler.LinearLR(optim, 0.1, 1.0, 20)
buffer = 2 * torch.randn(BUF, D)
buffer_label = torch.randint(0, C, (BUF,))
stats = {"ce": [], "gap": []}

for it in range(100):
    x, y = real_batch()

    idx = torch.randint(0, BUF, (BS,))
    start = buffer[idx]
    restart = torch.rand(BS) < 0.05
    start[restart] = 2 * torch.randn(int(restart.sum()), D)
    fake = sgld(net, start)
    buffer[idx] = fake

    logits = net(x)
    f_real = torch.logsumexp(logits, 1)
    f_fake = torch.logsumexp(net(fake), 1)
    ce = F.cross_entropy(logits, y)
    gap = f_fake.mean() - f_real.mean()
    loss = ce + gap + 0.05 * (f_real.square().mean() + f_fake.square().mean())

    optim.zero_grad()
    loss.backward()
    optim.step()
    warm.step()

    stats["ce"].append(ce.detach())
    stats["gap"].append(gap.detach())
    if it % 25 == 24:
        print(it + 1, {k: round(torch.stack(v).mean().item(), 3) for k, v in stats.items()})
        for v in stats.values():
            v.clear()
