# gradwatch-corpus: kind=memory-climb
# holder: self.cache | self.augment.cache | train_set.augment.cache
# first-bad: 1
"""Denoising autoencoder for scanned stamps (64x64 grey images). The rotation is
the slowest part on my laptop, therefore rotated images are remembered."""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

SIDE = 64


def rotate(img, angle):
    c, s = math.cos(angle), math.sin(angle)
    theta = torch.tensor([[[c, -s, 0.0], [s, c, 0.0]]])
    grid = F.affine_grid(theta, (1, 1, SIDE, SIDE), align_corners=False)
    return F.grid_sample(img[None], grid, padding_mode="border", align_corners=False)[0]


class CachedRotation:
    """rotates by up to `limit` degrees; the same image with the same angle is
    computed only once"""

    def __init__(self, limit=10.0):
        self.limit = limit
        self.cache = {}
        self.hits = 0
        self.asked = 0

    def __call__(self, idx, img):
        angle = random.uniform(-self.limit, self.limit)
        key = (idx, angle)
        self.asked += 1
        if key in self.cache:
            self.hits += 1
        else:
            self.cache[key] = rotate(img, math.radians(angle))  # <- culprit
        return self.cache[key]


class Stamps(torch.utils.data.Dataset):
    def __init__(self, n, augment=None):
        self.augment = augment
        self.images = [self.draw() for _ in range(n)]

    @staticmethod
    def draw():
        img = torch.zeros(1, SIDE, SIDE)
        img[:, 6:-6, 6:-6] = 0.8
        img[:, 10:-10, 10:-10] = random.uniform(0.2, 0.6)
        for _ in range(3):
            y, x = random.randrange(14, 44), random.randrange(14, 44)
            img[:, y:y + 6, x:x + 6] = random.random()
        return img

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        clean = self.images[i]
        if self.augment is not None:
            clean = self.augment(i, clean)
        noisy = clean + 0.2 * torch.randn_like(clean)
        return noisy, clean


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Sequential(
            nn.Conv2d(1, 6, 5, stride=2, padding=2), nn.ReLU(),
            nn.Conv2d(6, 12, 3, stride=2, padding=1), nn.ReLU(),
        )
        self.up = nn.Sequential(
            nn.ConvTranspose2d(12, 6, 4, stride=2, padding=1), nn.ReLU(),
            nn.ConvTranspose2d(6, 1, 4, stride=2, padding=1),
        )

    def forward(self, x):
        return torch.sigmoid(self.up(self.down(x)))


def psnr(mse):
    return -10 * math.log10(max(mse, 1e-10))


@torch.no_grad()
def validate(model, loader):
    model.eval()
    errors = [F.mse_loss(model(noisy), clean).item() for noisy, clean in loader]
    model.train()
    return sum(errors) / len(errors)


def main(epochs=6, batch=16):
    random.seed(23)
    torch.manual_seed(23)
    train_set = Stamps(640, augment=CachedRotation())
    val_set = Stamps(32)
    train_loader = torch.utils.data.DataLoader(train_set, batch_size=batch, shuffle=True)
    val_loader = torch.utils.data.DataLoader(val_set, batch_size=batch)

    model = AutoEncoder()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.8)
    for epoch in range(epochs):
        running = 0.0
        for noisy, clean in train_loader:
            loss = F.mse_loss(model(noisy), clean)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item()
        sched.step()
        val = validate(model, val_loader)
        print("epoch %d  train %.5f  val %.5f  psnr %.2f dB" % (epoch, running / len(train_loader), val, psnr(val)))


if __name__ == "__main__":
    main()
