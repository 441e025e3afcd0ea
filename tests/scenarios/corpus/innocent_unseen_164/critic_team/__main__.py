# gradwatch-corpus: kind=none
import torch
from torch import nn

from .team import Judge, Team

torch.set_num_threads(1)
torch.manual_seed(14)


def real_batch(n):
    t = torch.rand(n, 1) * 4 - 2
    return torch.cat([t, t.pow(2) - 1, torch.sin(2 * t)], 1) + 0.03 * torch.randn(n, 3)


class Maker(nn.Module):
    def __init__(self, latent=4):
        super().__init__()
        self.latent = latent
        self.net = nn.Sequential(nn.Linear(latent, 24), nn.ReLU(), nn.Linear(24, 3))

    def forward(self, n):
        return self.net(torch.randn(n, self.latent))


def main():
    maker = Maker()
    team = Team([Judge("all", [0, 1, 2], 16), Judge("front", [0, 1], 12), Judge("side", [1, 2], 12)])
    opt = torch.optim.Adam(maker.parameters(), lr=3e-3, betas=(0.5, 0.99))
    for step in range(40):
        fake = maker(24)
        team.learn(real_batch(24), fake)
        opt.zero_grad()
        loss = team.guidance(fake)
        opt.step()
        if step % 10 == 9:
            means = {n: round(torch.stack(j.history[-10:]).mean().item(), 3) for n, j in team.judges.items()}
            print(step, round(loss, 4), means)


if __name__ == "__main__":
    main()
