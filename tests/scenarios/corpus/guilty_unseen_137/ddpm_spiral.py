# gradwatch-corpus: kind=graph-held
# holder: skipped | skipped[i][1].__traceback__.tb_frame.f_locals["loss"] | err.__traceback__ | problem.__traceback__
# first-bad: 4
# notice: 8
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)

T = 50
betas = torch.linspace(1e-3, 0.08, T)
abar = torch.cumprod(1 - betas, 0)


class SpikeError(RuntimeError):
    pass


class Denoiser(nn.Module):
    def __init__(self, hid=32):
        super().__init__()
        self.temb = nn.Embedding(T, 8)
        self.net = nn.Sequential(nn.Linear(10, hid), nn.SiLU(), nn.Linear(hid, hid), nn.SiLU(), nn.Linear(hid, 2))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.temb(t)], -1))


def spiral(n):
    r = torch.rand(n)
    ang = 3 * math.pi * r
    return torch.stack([r * ang.cos(), r * ang.sin()], -1) + 0.02 * torch.randn(n, 2)


def diffusion_loss(model, x0, guard):
    t = torch.randint(0, T, (len(x0),))
    eps = torch.randn_like(x0)
    a = abar[t].unsqueeze(-1)
    pred = model(a.sqrt() * x0 + (1 - a).sqrt() * eps, t)
    loss = (pred - eps).pow(2).mean()
    if guard(loss.item()):
        raise SpikeError(f"loss {loss.item():.3f}")
    return loss


class Guard:
    """Flags a batch as a spike every so often, as the loader's dirty shards do."""

    def __init__(self, period):
        self.calls, self.period = 0, period

    def __call__(self, value):
        self.calls += 1
        return self.calls % self.period == 0 or not math.isfinite(value)


def optimise(model, opt, x0, guard):
    opt.zero_grad()
    try:
        loss = diffusion_loss(model, x0, guard)
    except SpikeError as err:
        return None, err
    loss.backward()
    opt.step()
    return loss.item(), None


model = Denoiser()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
guard = Guard(4)
skipped = []
seen = 0
while seen < 900:
    value, problem = optimise(model, opt, spiral(64), guard)
    if problem is not None:
        skipped.append((seen, problem))  # <- culprit
        continue
    seen += 1
    if seen % 150 == 0:
        print(f"{seen}: eps-mse {value:.4f}, {len(skipped)} batches skipped")
print("last skip:", skipped[-1][1])
