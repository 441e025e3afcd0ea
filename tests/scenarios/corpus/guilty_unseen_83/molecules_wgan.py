# gradwatch-corpus: kind=graph-held
# holder: log["gp"] | log['gp'] | log
# first-bad: 1
# notice: 8
# WGAN-GP on molecular fingerprints/descriptors (synthetic), conditional on logP bucket
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(404)

NBITS = 32
ZDIM = 8
N_CRITIC = 3
LAMBDA = 10.0
BUCKETS = 3

# ---------------------------------------------------------------- data
_scaffolds = (torch.rand(BUCKETS, 2, NBITS) < 0.3).float()


def sample_molecules(n):
    b = torch.randint(0, BUCKETS, (n,))
    which = torch.randint(0, 2, (n,))
    fp = _scaffolds[b, which]
    flip = (torch.rand_like(fp) < 0.05).float()
    fp = (fp - flip).abs()
    return fp, nn.functional.one_hot(b, BUCKETS).float()


# ---------------------------------------------------------------- nets
def mlp(sizes, last=None):
    layers = []
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        layers.append(nn.Linear(a, b))
        if i < len(sizes) - 2:
            layers.append(nn.LeakyReLU(0.2))
    if last is not None:
        layers.append(last)
    return nn.Sequential(*layers)


G = mlp([ZDIM + BUCKETS, 48, NBITS], nn.Sigmoid())
D = mlp([NBITS + BUCKETS, 48, 48, 1])
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))

log = {"wdist": [], "gp": [], "g": []}


def gradient_penalty(real, fake, c):
    eps = torch.rand(real.size(0), 1)
    mid = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = D(torch.cat([mid, c], 1))
    grad, = torch.autograd.grad(score.sum(), mid, create_graph=True)
    gp = ((grad.norm(2, dim=1) - 1) ** 2).mean()
    log["gp"].append(gp)  # <- culprit
    return gp


def critic_step():
    real, c = sample_molecules(32)
    z = torch.randn(real.size(0), ZDIM)
    with torch.no_grad():
        fake = G(torch.cat([z, c], 1))
    d_real = D(torch.cat([real, c], 1)).mean()
    d_fake = D(torch.cat([fake, c], 1)).mean()
    loss = d_fake - d_real + LAMBDA * gradient_penalty(real, fake, c)
    opt_d.zero_grad()
    loss.backward()
    opt_d.step()
    log["wdist"].append((d_real - d_fake).item())


def generator_step():
    _, c = sample_molecules(32)
    z = torch.randn(c.size(0), ZDIM)
    loss = -D(torch.cat([G(torch.cat([z, c], 1)), c], 1)).mean()
    opt_g.zero_grad()
    loss.backward()
    opt_g.step()
    log["g"].append(loss.item())


def validity():
    """share of generated prints within 4 flipped bits of a known scaffold"""
    with torch.no_grad():
        c = nn.functional.one_hot(torch.arange(90) % BUCKETS, BUCKETS).float()
        fp = (G(torch.cat([torch.randn(90, ZDIM), c], 1)) > 0.5).float()
        ref = _scaffolds.reshape(-1, NBITS)
        dist = (fp[:, None] - ref[None]).abs().sum(-1).min(1).values
    return (dist <= 4).float().mean().item()


for it in range(150):
    for _ in range(N_CRITIC):
        critic_step()
    generator_step()
    if it % 30 == 29:
        recent = torch.stack(log["gp"][-20:]).mean()
        print(f"it {it + 1:3d} W {sum(log['wdist'][-20:]) / 20:.3f} gp {recent.item():.4f} "
              f"G {log['g'][-1]:.3f} valid {validity():.2f}")
