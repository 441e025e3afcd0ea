# gradwatch-corpus: kind=none
"""Wind farm wake model: front page collects, back page is inspected, then they swap."""
import torch
from torch import nn

from pages import Pages
from wake import Farm


class WakeNet(nn.Module):
    def __init__(self, turbines):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2 * turbines + 2, 72), nn.Mish(), nn.Linear(72, 72), nn.Mish())
        self.mean, self.log_std = nn.Linear(72, turbines), nn.Linear(72, turbines)

    def forward(self, x):
        h = self.body(x)
        return self.mean(h), self.log_std(h).clamp(-4, 2)


def nll(mean, log_std, y):
    return (0.5 * ((y - mean) / log_std.exp()) ** 2 + log_std).mean()


def inspect(page):
    with torch.no_grad():
        z = torch.cat([((y - m) / s.exp()).flatten() for m, s, y in page])
        return z.std().item(), (z.abs() < 1.645).float().mean().item()


def main(steps=450):
    torch.manual_seed(88)
    farm = Farm(turbines=6, seed=89)
    net = WakeNet(6)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    pages = Pages(rows=30)
    for step in range(steps):
        x, y = farm.sample(32)
        mean, log_std = net(x)
        loss = nll(mean, log_std, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if pages.write((mean, log_std, y)):
            std, cover = inspect(pages.back)
            print(f"step {step} nll {loss.item():.4f} z-std {std:.3f} cover {cover:.3f}")


if __name__ == "__main__":
    main()
