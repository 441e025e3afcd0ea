# gradwatch-corpus: kind=crashed
# line: ema.py:28: torch.set_grad_enabled(False)
# first-bad: 60
# notice: 0
import torch
torch.set_num_threads(1)
from torch import nn

from ema import ShadowWeights
from sampling import ancestral, preview_grid

torch.manual_seed(99)
T = 20
betas = torch.linspace(1e-3, 0.2, T)
abar = torch.cumprod(1 - betas, 0)


class Denoiser(nn.Module):
    def __init__(self, dim=8, width=48):
        super().__init__()
        self.time = nn.Embedding(T, 16)
        self.net = nn.Sequential(nn.Linear(dim + 16, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(),
                                 nn.Linear(width, dim))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time(t)], -1))


def q_sample(x0, t, eps):
    a = abar[t][:, None]
    return a.sqrt() * x0 + (1 - a).sqrt() * eps


unet = Denoiser()
shadow = ShadowWeights(unet, decay=0.98)
opt = torch.optim.Adam(unet.parameters(), lr=1e-3)

for step in range(400):
    x0 = torch.randn(32, 8) * 0.2 + torch.sign(torch.randn(32, 1))
    t = torch.randint(0, T, (32,))
    eps = torch.randn_like(x0)
    loss = (unet(q_sample(x0, t, eps), t) - eps).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    shadow.update()
    if step % 30 == 29:
        with shadow:
            x = ancestral(unet, betas, abar, n=4, dim=8)
            print(step, loss.item(), x.std().item())
    if step % 60 == 59:
        with shadow:
            grid = preview_grid(shadow, unet, betas, abar, rows=2)
        print("grid", tuple(grid.shape))
