# gradwatch-corpus: kind=graph-held
# holder: self.total | critic.total | self.total["gap"] | critic.total["gap"] | c.total | self.total[key]
# first-bad: 1
# notice: 10
"""One generator against three critics of different receptive sizes."""
import torch
from torch import nn

from critics import Critic, REGISTRY

torch.set_num_threads(1)
torch.manual_seed(11)


def sample_real(n):
    angle = torch.rand(n) * 6.283
    return torch.stack([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(n, 2)


class Generator(nn.Module):
    def __init__(self, latent=6):
        super().__init__()
        self.latent = latent
        self.body = nn.Sequential(nn.Linear(latent, 24), nn.ReLU(), nn.Linear(24, 2))

    def forward(self, n):
        return self.body(torch.randn(n, self.latent))


def main():
    gen = Generator()
    critics = {name: Critic(name, width) for name, width in REGISTRY.items()}
    g_opt = torch.optim.Adam(gen.parameters(), lr=2e-3, betas=(0.5, 0.9))
    for step in range(40):
        real = sample_real(32)
        with torch.no_grad():
            fake = gen(32)
        for critic in critics.values():
            critic.train_step(real, fake)
        g_loss = torch.stack([-c.net(gen(32)).mean() for c in critics.values()]).mean()
        g_opt.zero_grad(set_to_none=True)
        g_loss.backward()
        g_opt.step()
        if step % 10 == 9:
            line = " ".join(f"{c.name}:{c.average('gap'):.3f}" for c in critics.values())
            print(f"step {step} g {g_loss.item():.3f} {line}")


main()
