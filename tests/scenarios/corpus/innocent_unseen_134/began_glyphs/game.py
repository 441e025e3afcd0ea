import torch
from torch import nn


class AutoJudge(nn.Module):
    def __init__(self, side):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, 6, 3, stride=2, padding=1), nn.ELU(), nn.Flatten(), nn.Linear(6 * (side // 2) ** 2, 10))
        self.up = nn.Sequential(nn.Linear(10, side * side), nn.Sigmoid())
        self.side = side

    def forward(self, x):
        y = self.up(self.down(x)).view(-1, 1, self.side, self.side)
        return (y - x).abs().mean()


class Game:
    def __init__(self, side, noise, eq):
        self.side, self.noise, self.eq = side, noise, eq
        self.painter = nn.Sequential(nn.Linear(noise, 24), nn.ELU(), nn.Linear(24, side * side), nn.Sigmoid(), nn.Unflatten(1, (1, side, side)))
        self.judge = AutoJudge(side)
        self.po = torch.optim.Adam(self.painter.parameters(), lr=3e-4)
        self.jo = torch.optim.Adam(self.judge.parameters(), lr=3e-4)

    def glyphs(self, n=14):
        img = torch.zeros(n, 1, self.side, self.side)
        for i, (r, c) in enumerate(torch.randint(1, self.side - 1, (n, 2)).tolist()):
            img[i, 0, r, :] = 1.0
            img[i, 0, :, c] = 1.0
        return (img + 0.1 * torch.rand_like(img)).clamp(max=1)

    def play(self):
        fake = self.painter(torch.randn(14, self.noise))
        l_real, l_fake = self.judge(self.glyphs()), self.judge(fake.detach())
        self.jo.zero_grad()
        self.eq.combine(l_real, l_fake).backward()
        self.jo.step()

        self.judge.requires_grad_(False)
        self.po.zero_grad()
        self.judge(fake).backward()
        self.po.step()
        self.judge.requires_grad_(True)
        self.eq.update(l_real, l_fake)
