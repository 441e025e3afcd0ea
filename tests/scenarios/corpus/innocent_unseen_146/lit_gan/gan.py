import math
import torch
from torch import nn
import torch.nn.functional as F


class RingGAN(nn.Module):
    """points on a ring, like everybody's first GAN"""

    def __init__(self):
        super().__init__()
        self.generator = nn.Sequential(nn.Linear(3, 24), nn.ReLU(), nn.Linear(24, 2))
        self.discriminator = nn.Sequential(nn.Linear(2, 24), nn.LeakyReLU(.2), nn.Linear(24, 1))
        self.generated = None

    def train_dataloader(self):
        while True:
            a = torch.rand(16) * 2 * math.pi
            yield torch.stack([a.cos(), a.sin()], 1) + .02 * torch.randn(16, 2)

    def bce(self, logit, one):
        return F.binary_cross_entropy_with_logits(logit, torch.full_like(logit, float(one)))

    def training_step(self, pts, step, optimizer_idx):
        if optimizer_idx == 0:
            self.generated = self.generator(torch.randn(len(pts), 3))
            g = self.bce(self.discriminator(self.generated), 1)
            return {'loss': g, 'log': {'g_loss': g}}
        real = self.bce(self.discriminator(pts), 1)
        fake = self.bce(self.discriminator(self.generated.detach()), 0)
        d = (real + fake) / 2
        return {'loss': d, 'log': {'d_loss': d, 'd_fake': fake}}

    def configure_optimizers(self):
        return (torch.optim.Adam(self.generator.parameters(), 1e-3, (.5, .9)),
                torch.optim.Adam(self.discriminator.parameters(), 1e-3, (.5, .9)))
