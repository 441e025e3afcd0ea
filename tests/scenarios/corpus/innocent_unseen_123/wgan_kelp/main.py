# gradwatch-corpus: kind=none
"""Synthetic kelp growth curves from a small WGAN-GP."""
import torch

torch.set_num_threads(1)
torch.manual_seed(60)

from gan import Critic, Growth, gradient_penalty
from curves import growth_curves


def train(rounds=260, critic_steps=2):
    gen, critic = Growth(), Critic()
    g_opt = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
    c_opt = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
    for r in range(rounds):
        for _ in range(critic_steps):
            real = growth_curves(16)
            fake = gen.sample(16).detach()
            c_loss = critic(fake).mean() - critic(real).mean() + 10 * gradient_penalty(critic, real, fake)
            c_opt.zero_grad()
            c_loss.backward()
            c_opt.step()
        g_loss = -critic(gen.sample(16)).mean()
        g_opt.zero_grad()
        g_loss.backward()
        g_opt.step()
        if r % 65 == 64:
            print(r + 1, round(c_loss.item(), 3), round(g_loss.item(), 3))


train()
