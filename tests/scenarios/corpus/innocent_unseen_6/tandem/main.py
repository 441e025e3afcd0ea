# gradwatch-corpus: kind=none
# about: retain_graph=True every step, and moving feature statistics enter the loss; the retained part is walked a second time by the other loss of the same step, and the statistics are plain
"""GAN for two-tone waveforms; one pass through the generator serves both players."""
import torch

from players import Critic, Forger
from stats import Drift
from waves import Tones


def duel(steps=320, batch=32):
    torch.manual_seed(77)
    forger, critic, tones = Forger(6, 24), Critic(24), Tones(24, seed=7)
    opt_f = torch.optim.Adam(forger.parameters(), lr=1e-3, betas=(0.5, 0.99))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.99))
    drift = Drift(critic.width)
    for n in range(steps):
        fake = forger(torch.randn(batch, 6))
        real = tones.sample(batch)
        s_fake, f_fake = critic(fake)
        s_real, f_real = critic(real)
        drift.see(f_real)
        margin = (1 - s_real).relu().mean() + (1 + s_fake).relu().mean()
        fool = -s_fake.mean() + drift.gap(f_fake)

        c_grads = torch.autograd.grad(margin, list(critic.parameters()), retain_graph=True)
        opt_f.zero_grad()
        fool.backward(inputs=list(forger.parameters()))
        for p, g in zip(critic.parameters(), c_grads):
            p.grad = g
        opt_f.step()
        opt_c.step()
        if n % 40 == 0:
            print(f"{n:3d} margin {margin.item():.3f} fool {fool.item():.3f} mean feature {drift.mean.mean().item():.3f}", flush=True)


if __name__ == "__main__":
    duel()
