# gradwatch-corpus: kind=second-backward
# holder: fake | tiles | fake_tiles
# first-bad: 0
# notice: 0
"""GAN for bathroom-tile patterns (showroom demo)."""
import torch

torch.set_num_threads(1)

from nets import Critic, Painter, catalogue

torch.manual_seed(1234)
painter, critic = Painter(), Critic()
opt_p = torch.optim.Adam(painter.parameters(), 2e-3, betas=(0.5, 0.99))
opt_c = torch.optim.Adam(critic.parameters(), 2e-3, betas=(0.5, 0.99))
bce = torch.nn.BCEWithLogitsLoss()


def judge(tiles, verdict):
    score = critic(tiles)
    return bce(score, torch.full_like(score, verdict))


def critic_turn(real, fake):
    opt_c.zero_grad()
    loss = judge(real, 0.9) + judge(fake, 0.0)  # <- culprit
    loss.backward()
    return loss.item()


def painter_turn(fake):
    critic.requires_grad_(False)
    opt_p.zero_grad()
    loss = judge(fake, 1.0)
    loss.backward()
    critic.requires_grad_(True)
    return loss.item()


for rnd in range(300):
    real = catalogue(16)
    fake_tiles = painter(torch.randn(16, 5))
    c = critic_turn(real, fake_tiles)  # <- culprit
    p = painter_turn(fake_tiles)
    for opt in (opt_c, opt_p):
        opt.step()
    if rnd % 50 == 0:
        print(rnd, round(c, 3), round(p, 3))
