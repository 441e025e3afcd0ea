# gradwatch-corpus: kind=none
"""WGAN-GP on synthetic Raman spectra; critic and generator alternate."""
import torch
from torch import nn

torch.set_num_threads(1)
BINS, Z = 24, 6


def spectra(n):
    grid = torch.arange(BINS).float()
    centre = torch.randint(5, BINS - 5, (n, 1)).float()
    return torch.exp(-((grid - centre) / 2.0) ** 2) + 0.02 * torch.randn(n, BINS)


def penalty(critic, real, fake):
    a = torch.rand(len(real), 1)
    mix = (a * real + (1 - a) * fake).requires_grad_()
    (grad,) = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return (grad.norm(dim=1) - 1).square().mean()


def main():
    torch.manual_seed(14)
    gen = nn.Sequential(nn.Linear(Z, 32), nn.ReLU(), nn.Linear(32, BINS))
    critic = nn.Sequential(nn.Linear(BINS, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
    og = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
    oc = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
    history = {"w": [], "gp": [], "g": []}
    for it in range(330):
        real = spectra(16)
        fake = gen(torch.randn(16, Z))
        gap = critic(fake.detach()).mean() - critic(real).mean()
        gp = penalty(critic, real, fake.detach())
        oc.zero_grad()
        (gap + 10 * gp).backward()
        oc.step()
        history["w"].append(-gap.detach())
        history["gp"].append(gp.item())
        if it % 3 == 2:
            g_loss = -critic(fake).mean()
            og.zero_grad()
            g_loss.backward()
            og.step()
            history["g"].append(g_loss.item())
        if it % 66 == 65:
            w = torch.stack(history["w"][-30:]).mean().item()
            print(f"{it + 1} wasserstein {w:.3f} gp {history['gp'][-1]:.4f} g {history['g'][-1]:.3f}")


if __name__ == "__main__":
    main()
