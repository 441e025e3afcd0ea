import torch
import torch.nn.functional as F

from .networks import Critic, Generator


class GanTrainer:
    def __init__(self, n_points, z_dim, lr=5e-4):
        self.z_dim = z_dim
        self.gen = Generator(z_dim, n_points)
        self.disc = Critic(n_points)
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=lr, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(self.disc.parameters(), lr=lr, betas=(0.5, 0.999))

    def noise(self, n):
        return torch.randn(n, self.z_dim)

    def pretrain_step(self, real):
        """Match the first two moments before the adversarial phase."""
        fake = self.gen(self.noise(real.size(0)))
        loss = F.mse_loss(fake.mean(0), real.mean(0)) + F.mse_loss(fake.std(0), real.std(0))
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return {"moment": loss.item()}

    def adversarial_step(self, real):
        n = real.size(0)
        ones, zeros = torch.ones(n, 1), torch.zeros(n, 1)
        fake = self.gen(self.noise(n))

        self.opt_d.zero_grad()
        d_real = F.binary_cross_entropy_with_logits(self.disc(real), 0.9 * ones)
        d_fake = F.binary_cross_entropy_with_logits(self.disc(fake), zeros)  # <- culprit
        d_loss = 0.5 * (d_real + d_fake)
        d_loss.backward()
        self.opt_d.step()

        self.opt_g.zero_grad()
        g_loss = F.binary_cross_entropy_with_logits(self.disc(fake), ones)
        g_loss.backward()
        self.opt_g.step()
        return {"d": d_loss.item(), "g": g_loss.item()}
