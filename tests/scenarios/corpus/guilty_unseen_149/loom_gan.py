# gradwatch-corpus: kind=second-backward
# first-bad: 0
# notice: 0
# %% [markdown]
# # Weave patterns
# Generate plausible 8x8 thread drafts for the loom from a handful of real ones.

# %%
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(6)

# %% real drafts: twills with a random shift
base = torch.stack([torch.roll(torch.tril(torch.ones(8, 8)) - torch.tril(torch.ones(8, 8), -3), s, 1) for s in range(8)])


def real_drafts(n):
    pick = torch.randint(0, 8, (n,))
    return (base[pick] * 2 - 1 + 0.05 * torch.randn(n, 8, 8)).flatten(1)


# %% networks
latent = 10
gen = nn.Sequential(nn.Linear(latent, 48), nn.ReLU(), nn.Linear(48, 64), nn.Tanh())
disc = nn.Sequential(nn.Linear(64, 48), nn.LeakyReLU(0.2), nn.Linear(48, 1))
g_opt = torch.optim.Adam(gen.parameters(), lr=2e-3, betas=(0.5, 0.999))
d_opt = torch.optim.Adam(disc.parameters(), lr=2e-3, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()

# %% training
history = {"d": [], "g": []}
n = 32
for step in range(80):
    real = real_drafts(n)
    fake = gen(torch.randn(n, latent))

    d_opt.zero_grad()
    d_real = disc(real)
    d_fake = disc(fake)  # <- culprit
    d_loss = bce(d_real, torch.ones(n, 1)) + bce(d_fake, torch.zeros(n, 1))
    d_loss.backward()  # <- culprit

    g_opt.zero_grad()
    g_loss = bce(disc(fake), torch.ones(n, 1))
    g_loss.backward()

    d_opt.step()
    g_opt.step()
    history["d"].append(d_loss.item())
    history["g"].append(g_loss.item())
    if step % 20 == 19:
        print(f"{step + 1}: d {history['d'][-1]:.3f} g {history['g'][-1]:.3f}")

# %% look at one draft
with torch.no_grad():
    draft = gen(torch.randn(1, latent)).view(8, 8)
for row in draft > 0:
    print("".join("#" if v else "." for v in row.tolist()))
