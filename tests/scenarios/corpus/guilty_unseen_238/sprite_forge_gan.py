# gradwatch-corpus: kind=graph-held
# holder: forge.meters | forge.meters["g"] | forge.meters["d"] | self.meters | self.meters["g"] | self.meters["d"]
# first-bad: 1
# 8x8 space-invader sprites from a small GAN
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1980)

SPRITE = 8
LATENT = 12
BATCH = 24
ROUNDS = 110

track = lambda old, new: new if old is None else 0.9 * old + 0.1 * new  # <- culprit
real_label = lambda n: torch.full((n, 1), 0.9)
fake_label = lambda n: torch.zeros(n, 1)


def random_invaders(n):
    half = (torch.rand(n, 1, SPRITE, SPRITE // 2) > 0.55).float()
    half[:, :, 0] = 0
    half[:, :, -1] = (torch.rand(n, 1, SPRITE // 2) > 0.7).float()
    body = torch.cat([half, half.flip(-1)], dim=-1)
    return body * 2 - 1


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(LATENT, 32 * 4)
        self.up = nn.ConvTranspose2d(32, 16, 4, stride=2, padding=1)
        self.up2 = nn.ConvTranspose2d(16, 1, 4, stride=2, padding=1)

    def forward(self, z):
        h = F.relu(self.fc(z)).view(-1, 32, 2, 2)
        h = F.relu(self.up(h))
        return torch.tanh(self.up2(h))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 16, 3, stride=2, padding=1)
        self.c2 = nn.Conv2d(16, 32, 3, stride=2, padding=1)
        self.out = nn.Linear(32 * 4, 1)

    def forward(self, x):
        h = F.leaky_relu(self.c1(x), 0.2)
        h = F.leaky_relu(self.c2(h), 0.2)
        return self.out(h.flatten(1))


class Forge:
    def __init__(self):
        self.gen = Generator()
        self.critic = Critic()
        self.g_opt = torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.5, 0.99))
        self.d_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.5, 0.99))
        self.meters = {"g": None, "d": None}
        self.show_z = torch.randn(3, LATENT)

    def hammer(self):
        real = random_invaders(BATCH)
        fake = self.gen(torch.randn(BATCH, LATENT))

        d_loss = F.binary_cross_entropy_with_logits(self.critic(real), real_label(BATCH))
        d_loss = d_loss + F.binary_cross_entropy_with_logits(self.critic(fake.detach()), fake_label(BATCH))
        self.d_opt.zero_grad()
        d_loss.backward()
        self.d_opt.step()

        g_loss = F.binary_cross_entropy_with_logits(self.critic(fake), real_label(BATCH))
        self.g_opt.zero_grad()
        g_loss.backward()
        self.g_opt.step()

        self.meters["d"] = track(self.meters["d"], d_loss)  # <- culprit
        self.meters["g"] = track(self.meters["g"], g_loss)  # <- culprit

    def show(self):
        with torch.no_grad():
            sprites = self.gen(self.show_z)
        for row in range(SPRITE):
            print("   ".join("".join("#" if p > 0 else "." for p in s[0, row].tolist()) for s in sprites))


forge = Forge()
for r in range(ROUNDS):
    forge.hammer()
    if r % 20 == 0:
        print("round %3d  d %.3f  g %.3f" % (r, forge.meters["d"].item(), forge.meters["g"].item()))
forge.show()
