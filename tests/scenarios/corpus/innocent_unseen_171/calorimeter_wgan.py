# gradwatch-corpus: kind=none
"""Wasserstein GAN with gradient penalty that imitates particle showers in a small calorimeter."""
import torch
from torch import autograd, nn

LAYERS, CELLS = 5, 9


def showers(n, g):
    energy = 10 + 40 * torch.rand(n, 1, 1, generator=g)
    depth = torch.arange(LAYERS).float().view(1, -1, 1)
    peak = 1.2 + 0.4 * energy.log() + 0.2 * torch.randn(n, 1, 1, generator=g)
    along = torch.exp(-((depth - peak) / 1.3) ** 2)
    pos = torch.linspace(-2, 2, CELLS).view(1, 1, -1)
    centre = 0.3 * torch.randn(n, 1, 1, generator=g)
    across = torch.exp(-(pos - centre).abs() / (0.4 + 0.1 * depth))
    return (energy / 50 * along * across).flatten(1), energy.flatten(1) / 50


def mlp(i, o, width=64):
    return nn.Sequential(nn.Linear(i, width), nn.LeakyReLU(0.2),
                         nn.Linear(width, width), nn.LeakyReLU(0.2), nn.Linear(width, o))


class ShowerGAN:
    def __init__(self, latent=10, lam=5.0, n_critic=3):
        self.latent, self.lam, self.n_critic = latent, lam, n_critic
        self.gen = mlp(latent + 1, LAYERS * CELLS)
        self.critic = mlp(LAYERS * CELLS + 1, 1)
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=3e-4, betas=(0.0, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=3e-4, betas=(0.0, 0.9))
        self.log = {"w": [], "gp": []}

    def fake(self, e):
        z = torch.randn(len(e), self.latent)
        return nn.functional.softplus(self.gen(torch.cat([z, e], 1)) - 2)

    def judge(self, x, e):
        return self.critic(torch.cat([x, e], 1))

    def penalty(self, real, fake, e):
        a = torch.rand(len(real), 1)
        mid = (a * real + (1 - a) * fake).requires_grad_(True)
        grad, = autograd.grad(self.judge(mid, e).sum(), mid, create_graph=True)
        return ((grad.norm(2, dim=1) - 1) ** 2).mean()

    def critic_step(self, real, e):
        with torch.no_grad():
            fake = self.fake(e)
        w = self.judge(fake, e).mean() - self.judge(real, e).mean()
        gp = self.penalty(real, fake, e)
        self.opt_c.zero_grad()
        (w + self.lam * gp).backward()
        self.opt_c.step()
        self.log["w"].append(-w)
        self.log["gp"].append(gp)

    def gen_step(self, e):
        loss = -self.judge(self.fake(e), e).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()

    def flush(self):
        w, gp = (torch.stack(self.log[k]).mean().item() for k in ("w", "gp"))
        for v in self.log.values():
            v.clear()
        return w, gp


def run(rounds=400, batch=48):
    torch.manual_seed(77)
    g = torch.Generator().manual_seed(77)
    gan = ShowerGAN()
    for r in range(rounds):
        for _ in range(gan.n_critic):
            gan.critic_step(*showers(batch, g))
        gan.gen_step(showers(batch, g)[1])
        if r % 20 == 19:
            w, gp = gan.flush()
            if r % 80 == 79:
                with torch.no_grad():
                    real, e = showers(500, g)
                    ratio = (gan.fake(e).sum(1) / real.sum(1)).mean().item()
                print(f"round {r + 1}: W {w:.4f}  penalty {gp:.4f}  energy ratio {ratio:.3f}")


if __name__ == "__main__":
    run()
