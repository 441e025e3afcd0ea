# gradwatch-corpus: kind=none
"""WGAN-GP for synthetic Raman spectra."""
import torch

from critics import Critic, Generator
from penalty import gradient_penalty
from spectra import sample_spectra


def critic_step(critic, gen, opt, real, z):
    fake = gen(z).detach()
    gp = gradient_penalty(critic, real, fake)
    loss = critic(fake).mean() - critic(real).mean() + 5.0 * gp
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss, gp


def generator_step(critic, gen, opt, z):
    loss = -critic(gen(z)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


def main():
    torch.set_num_threads(1)
    torch.manual_seed(21)
    gen, critic = Generator(6, 40), Critic(40)
    g_opt = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
    c_opt = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
    curves = {"critic": [], "gp": [], "gen": []}
    for it in range(320):
        c_loss, gp = critic_step(critic, gen, c_opt, sample_spectra(24, 40), torch.randn(24, 6))
        curves["critic"].append(c_loss.detach())
        curves["gp"].append(gp.detach())
        if it % 3 == 2:
            curves["gen"].append(generator_step(critic, gen, g_opt, torch.randn(24, 6)).item())
        if it % 80 == 79:
            w = torch.stack(curves["critic"][-40:]).mean().item()
            print(f"{it + 1} critic {w:+.3f} gp {curves['gp'][-1].item():.3f} gen {curves['gen'][-1]:+.3f}")


if __name__ == "__main__":
    main()
