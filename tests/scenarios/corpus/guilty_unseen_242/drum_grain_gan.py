# gradwatch-corpus: kind=second-backward
# holder: state["r1"]
# first-bad: 1
# GAN for drum hits (envelopes of 48 points), R1 penalty is slow so not every step
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(51)

LATENT = 8
LENGTH = 48
BATCH = 32
STEPS = 120
R1_EVERY = 8
R1_WEIGHT = 2.0


def drum_hits(n):
    t = torch.linspace(0, 1, LENGTH)
    decay = 3 + 6 * torch.rand(n, 1)
    tone = 10 + 20 * torch.rand(n, 1)
    return torch.exp(-decay * t) * torch.cos(tone * t) + 0.02 * torch.randn(n, LENGTH)


gen = nn.Sequential(
    nn.Linear(LATENT, 64),
    nn.SiLU(),
    nn.Linear(64, 64),
    nn.SiLU(),
    nn.Linear(64, LENGTH),
)
critic = nn.Sequential(
    nn.Linear(LENGTH, 64),
    nn.Softplus(),
    nn.Linear(64, 32),
    nn.Softplus(),
    nn.Linear(32, 1),
)
opt_gen = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.99))
opt_critic = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.99))


def r1_penalty(real):
    real = real.clone().requires_grad_(True)
    out = critic(real)
    (g,) = torch.autograd.grad(out.sum(), real, create_graph=True)
    return g.pow(2).sum(dim=1).mean()


state = {"r1": None, "step": 0}
table = []

for step in range(STEPS):
    real = drum_hits(BATCH)
    fake = gen(torch.randn(BATCH, LATENT))

    if step % R1_EVERY == 0:
        state["r1"] = r1_penalty(real)  # <- culprit
    d_loss = F.softplus(-critic(real)).mean() + F.softplus(critic(fake.detach())).mean()
    d_total = d_loss + 0.5 * R1_WEIGHT * state["r1"]  # <- culprit
    opt_critic.zero_grad()
    d_total.backward()
    opt_critic.step()

    g_loss = F.softplus(-critic(fake)).mean()
    opt_gen.zero_grad()
    g_loss.backward()
    opt_gen.step()

    state["step"] = step
    table.append((step, d_loss.item(), g_loss.item(), state["r1"].item()))

print("step    d       g       r1")
for row in table[::15]:
    print("%4d  %.4f  %.4f  %.4f" % row)
