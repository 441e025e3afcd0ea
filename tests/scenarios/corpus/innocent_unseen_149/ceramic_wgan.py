# gradwatch-corpus: kind=none
# %% [markdown]
# # Glaze spectra generator, Wasserstein critic with gradient penalty

# %%
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(54)
BANDS, LATENT, BATCH = 20, 6, 24


def spectra(n):
    peak = torch.rand(n, 1) * 14 + 3
    width = torch.rand(n, 1) * 2 + 1
    return torch.exp(-((torch.arange(BANDS) - peak) / width) ** 2)


# %%
generator = nn.Sequential(nn.Linear(LATENT, 32), nn.ReLU(), nn.Linear(32, BANDS), nn.Sigmoid())
critic = nn.Sequential(nn.Linear(BANDS, 32), nn.Softplus(), nn.Linear(32, 1))
opt_g = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.0, 0.9))
opt_c = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.0, 0.9))


def penalty(real, fake):
    mix = torch.rand(len(real), 1)
    point = (mix * real + (1 - mix) * fake).requires_grad_()
    slope, = torch.autograd.grad(critic(point).sum(), point, create_graph=True)
    return (slope.norm(dim=1) - 1).pow(2).mean()


# %%
rounds, critic_steps = 50, 2
curve = {"critic": [], "generator": []}
for r in range(rounds):
    for _ in range(critic_steps):
        real = spectra(BATCH)
        with torch.no_grad():
            fake = generator(torch.randn(BATCH, LATENT))
        gap = critic(fake).mean() - critic(real).mean()
        loss_c = gap + 10 * penalty(real, fake)
        opt_c.zero_grad()
        loss_c.backward()
        opt_c.step()
        curve["critic"].append(gap.item())

    critic.requires_grad_(False)
    loss_g = -critic(generator(torch.randn(BATCH, LATENT))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    critic.requires_grad_(True)
    curve["generator"].append(loss_g.item())
    if (r + 1) % 10 == 0:
        print(f"round {r + 1}: gap {curve['critic'][-1]:+.3f}, generator {loss_g.item():+.3f}")

# %%
print("last gaps", [round(v, 3) for v in curve["critic"][-5:]])
