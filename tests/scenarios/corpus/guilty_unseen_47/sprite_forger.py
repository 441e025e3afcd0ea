# gradwatch-corpus: kind=second-backward
# holder: fake
# first-bad: 1
"""WGAN on tiny 12x12 pixel sprites (filled boxes with a bright border)."""
import time

import torch
from torch import nn
from torch.optim import RMSprop

SIDE = 12
Z_DIM = 16
BATCH = 24
N_CRITIC = 5
GEN_STEPS = 30
CLIP = 0.03


def draw_sprites(count, rng):
    canvas = torch.zeros(count, 1, SIDE, SIDE)
    for k in range(count):
        top, left = torch.randint(0, 5, (2,), generator=rng).tolist()
        h, w = torch.randint(4, 7, (2,), generator=rng).tolist()
        canvas[k, 0, top:top + h, left:left + w] = 1.0
        canvas[k, 0, top + 1:top + h - 1, left + 1:left + w - 1] = 0.4
    return canvas * 2 - 1


class Painter(nn.Module):
    def __init__(self):
        super().__init__()
        self.seed = nn.Linear(Z_DIM, 32 * 3 * 3)
        self.body = nn.Sequential(
            nn.BatchNorm2d(32), nn.ReLU(),
            nn.ConvTranspose2d(32, 16, 4, stride=2, padding=1),
            nn.BatchNorm2d(16), nn.ReLU(),
            nn.ConvTranspose2d(16, 1, 4, stride=2, padding=1),
            nn.Tanh(),
        )

    def forward(self, z):
        return self.body(self.seed(z).view(-1, 32, 3, 3))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 16, 3, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Flatten(), nn.Linear(32 * 3 * 3, 1),
        )

    def forward(self, img):
        return self.net(img).squeeze(1)


def clip_weights(module, bound):
    with torch.no_grad():
        for p in module.parameters():
            p.clamp_(-bound, bound)


def endless(data, rng):
    while True:
        order = torch.randperm(len(data), generator=rng)
        for chunk in order.split(BATCH):
            if len(chunk) == BATCH:
                yield data[chunk]


def main():
    torch.manual_seed(4)
    rng = torch.Generator().manual_seed(4)
    sprites = draw_sprites(480, rng)
    real_batches = endless(sprites, rng)

    painter, critic = Painter(), Critic()
    opt_p = RMSprop(painter.parameters(), lr=5e-4)
    opt_c = RMSprop(critic.parameters(), lr=5e-4)

    began = time.time()
    for step in range(GEN_STEPS):
        noise = torch.randn(BATCH, Z_DIM)
        fake = painter(noise)  # <- culprit
        for _ in range(N_CRITIC):
            real = next(real_batches)
            opt_c.zero_grad()
            c_loss = critic(fake).mean() - critic(real).mean()  # <- culprit
            c_loss.backward()  # <- culprit
            opt_c.step()
            clip_weights(critic, CLIP)

        opt_p.zero_grad()
        p_loss = -critic(painter(torch.randn(BATCH, Z_DIM))).mean()
        p_loss.backward()
        opt_p.step()
        if step % 5 == 0:
            print(f"gen step {step:3d}  critic {c_loss.item():+.4f}  painter {p_loss.item():+.4f}")
    print(f"took {time.time() - began:.1f}s")


if __name__ == "__main__":
    main()
