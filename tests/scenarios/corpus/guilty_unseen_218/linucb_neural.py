# gradwatch-corpus: kind=graph-held
# holder: avg_loss
# first-bad: 1
# Neural-linear contextual bandit, 8 arms (course project, bandit track)
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

np.random.seed(1)
torch.manual_seed(1)

n_arms, d, h = 8, 12, 32
T = 150
theta = torch.randn(n_arms, d) / d ** 0.5


def get_context(n):
    return torch.randn(n, d)


def pull(ctx, arms):
    mu = torch.sin(2 * (ctx * theta[arms]).sum(1))
    return mu + 0.1 * torch.randn(len(arms))


net = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU())
heads = nn.Linear(h, n_arms)
opt = torch.optim.Adam(list(net.parameters()) + list(heads.parameters()), lr=3e-3)

A_inv = torch.eye(h).repeat(n_arms, 1, 1)
regret = 0.0
avg_loss = 0.0
buf_x, buf_a, buf_r = [], [], []

for t in range(T):
    ctx = get_context(32)
    with torch.no_grad():
        phi = net(ctx)
        mean = heads(phi)
        width = torch.einsum('bi,kij,bj->bk', phi, A_inv, phi).clamp(min=0).sqrt()
        arms = (mean + 0.5 * width).argmax(1)
    rew = pull(ctx, arms)
    best = torch.sin(2 * ctx @ theta.t()).max(1).values
    regret += (best - rew).sum().item()

    for k in range(n_arms):
        f = phi[arms == k]
        if len(f):
            A = torch.linalg.inv(A_inv[k]) + f.t() @ f
            A_inv[k] = torch.linalg.inv(A + 1e-4 * torch.eye(h))

    buf_x.append(ctx)
    buf_a.append(arms)
    buf_r.append(rew)
    buf_x, buf_a, buf_r = buf_x[-20:], buf_a[-20:], buf_r[-20:]

    xs, as_, rs = torch.cat(buf_x), torch.cat(buf_a), torch.cat(buf_r)
    pick = torch.randperm(len(xs))[:128]
    pred = heads(net(xs[pick])).gather(1, as_[pick][:, None]).squeeze(1)
    loss = F.smooth_l1_loss(pred, rs[pick])

    opt.zero_grad()
    loss.backward()
    opt.step()

    avg_loss = 0.98 * avg_loss + 0.02 * loss  # <- culprit
    if t % 25 == 24:
        print('t={} avg_loss={:.4f} regret={:.1f}'.format(t + 1, float(avg_loss), regret))
