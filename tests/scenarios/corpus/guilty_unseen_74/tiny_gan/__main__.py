# gradwatch-corpus: kind=graph-held
# holder: self.rows | book.rows | row | values | self.rows[-1]["real_score"] | self.rows[-1]["fake_score"]
# first-bad: 1
# notice: 8
# also: graph-unused
"""A very small GAN that learns points on a ring.   python -m tiny_gan"""
import math

import torch
import torch.nn as nn

from .logbook import Logbook
from .nets import make_critic, make_painter

torch.set_num_threads(1)
torch.manual_seed(5)

NOISE = 6
BATCH = 64
ROUNDS = 160

painter = make_painter(NOISE)
critic = make_critic()
opt_p = torch.optim.Adam(painter.parameters(), lr=2e-3, betas=(0.5, 0.99))
opt_c = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.5, 0.99))
bce = nn.BCELoss()
ones = torch.ones(BATCH, 1)
zeros = torch.zeros(BATCH, 1)
book = Logbook("ring")


def ring(n):
    angle = torch.rand(n) * 2 * math.pi
    radius = 1 + 0.05 * torch.randn(n)
    return torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1)


def critic_turn():
    real = ring(BATCH)
    with torch.no_grad():
        fake = painter(torch.randn(BATCH, NOISE))
    opt_c.zero_grad()
    out_real = critic(real)
    out_fake = critic(fake)
    loss = bce(out_real, ones) + bce(out_fake, zeros)
    loss.backward()
    opt_c.step()
    book.write(who="critic", loss=loss.item(), real_score=out_real.mean(), fake_score=out_fake.mean())  # <- culprit


def painter_turn():
    opt_p.zero_grad()
    critic.requires_grad_(False)
    loss = bce(critic(painter(torch.randn(BATCH, NOISE))), ones)
    loss.backward()
    critic.requires_grad_(True)
    opt_p.step()
    book.write(who="painter", loss=loss.item())


for i in range(ROUNDS):
    critic_turn()
    painter_turn()
    if (i + 1) % 40 == 0:
        print("round", i + 1)
        book.report(last=40)

with torch.no_grad():
    points = painter(torch.randn(200, NOISE))
print("mean radius", round(points.norm(dim=1).mean().item(), 3))
book.trend()
