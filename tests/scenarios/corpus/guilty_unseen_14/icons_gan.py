# gradwatch-corpus: kind=second-backward
# holder: self.images | pool.images | trainer.pool.images | self.pool.images
# first-bad: 4
"""GAN that draws 12x12 icons (crosses, frames, diagonals). With an image pool
as in CycleGAN, because the discriminator forgot old fakes too quickly."""
import random

import torch
import torch.nn as nn

LATENT = 16
SIDE = 12


def draw_icon(kind):
    img = -torch.ones(SIDE, SIDE)
    k = random.randrange(3, SIDE - 3)
    if kind == 0:
        img[k, :] = 1
        img[:, k] = 1
    elif kind == 1:
        a, b = 1, random.randrange(7, SIDE)
        img[a, a:b] = img[b - 1, a:b] = 1
        img[a:b, a] = img[a:b, b - 1] = 1
    else:
        img[range(SIDE), range(SIDE)] = 1
        img = img.roll(k, dims=1)
    return img


def icon_batches(batch, n):
    for _ in range(n):
        yield torch.stack([draw_icon(random.randrange(3)) for _ in range(batch)]).unsqueeze(1)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(LATENT, 24 * 3 * 3)
        self.net = nn.Sequential(
            nn.ReLU(),
            nn.ConvTranspose2d(24, 16, 4, stride=2, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
            nn.ConvTranspose2d(16, 1, 4, stride=2, padding=1), nn.Tanh(),
        )

    def forward(self, z):
        return self.net(self.fc(z).view(-1, 24, 3, 3))


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 16, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Conv2d(16, 24, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Flatten(), nn.Linear(24 * 9, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(1)


class ImagePool:
    """Keeps up to `size` earlier fakes; half of the images handed out are old."""

    def __init__(self, size):
        self.size = size
        self.images = []

    def query(self, batch):
        if self.size == 0:
            return batch
        result = []
        for image in batch:
            image = image.unsqueeze(0)
            if len(self.images) < self.size:
                self.images.append(image)  # <- culprit
                result.append(image)
            elif random.random() > 0.5:
                i = random.randrange(self.size)
                old = self.images[i].clone()
                self.images[i] = image  # <- culprit
                result.append(old)
            else:
                result.append(image)
        return torch.cat(result, dim=0)


class GANTrainer:
    def __init__(self, batch=16, pool_size=64, lr=1e-3):
        self.batch = batch
        self.G, self.D = Generator(), Discriminator()
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=lr, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=lr, betas=(0.5, 0.999))
        self.pool = ImagePool(pool_size)
        self.bce = nn.BCEWithLogitsLoss()

    def noise(self):
        return torch.randn(self.batch, LATENT)

    def step_d(self, real):
        fake = self.pool.query(self.G(self.noise()))  # <- culprit
        score_real, score_fake = self.D(real), self.D(fake)
        loss = self.bce(score_real, 0.9 * torch.ones_like(score_real)) \
            + self.bce(score_fake, torch.zeros_like(score_fake))
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def step_g(self):
        score = self.D(self.G(self.noise()))
        loss = self.bce(score, torch.ones_like(score))
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def fit(self, n=300):
        for i, real in enumerate(icon_batches(self.batch, n)):
            d, g = self.step_d(real), self.step_g()
            if i % 50 == 0:
                print("iter %d  loss D %.3f  loss G %.3f" % (i, d, g))


if __name__ == "__main__":
    random.seed(13)
    torch.manual_seed(13)
    GANTrainer().fit()
