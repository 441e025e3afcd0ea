# gradwatch-corpus: kind=crashed
# first-bad: 154
# notice: 0
import math
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(18)
T = 50
betas = torch.linspace(1e-3, 0.2, T)
abar = torch.cumprod(1 - betas, 0)


class Denoiser(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(8, width), nn.SiLU())
        self.inp = nn.Linear(2, width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, 2)

    def forward(self, x, t):
        f = torch.exp(torch.arange(4) * (-math.log(100.0) / 4))
        a = t[:, None] * f
        emb = self.time(torch.cat([a.sin(), a.cos()], -1))
        h = nn.functional.silu(self.inp(x) + emb)
        h = nn.functional.silu(self.mid(h)) + h
        return self.out(h)


class Guard:
    """Keeps a smoothed copy of the weights and puts it back when the loss jumps."""

    def __init__(self, net, decay=0.98, factor=6.0):
        self.decay, self.factor = decay, factor
        self.smooth = {k: v.clone() for k, v in net.state_dict().items()}
        self.level = None

    def observe(self, net, value):
        jump = self.level is not None and value > self.factor * self.level
        if jump:
            self.restore(net)
            return True
        self.level = value if self.level is None else 0.95 * self.level + 0.05 * value
        for k, v in net.state_dict().items():
            self.smooth[k].lerp_(v, 1 - self.decay)
        return False

    def restore(self, net):
        for key, val in self.smooth.items():
            path, leaf = key.rsplit(".", 1)
            owner = net.get_submodule(path)
            setattr(owner, leaf, nn.Parameter(val.clone(), requires_grad=val.requires_grad))  # <- culprit


def moons(n=64):
    a = torch.rand(n) * math.pi
    top = torch.rand(n) < 0.5
    x = torch.where(top, a.cos(), 1 - a.cos())
    y = torch.where(top, a.sin(), 0.5 - a.sin())
    pts = torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2)
    if torch.rand(()) < 0.004:
        pts = pts * 1e3
    return pts


def diffuse(x0):
    t = torch.randint(0, T, (len(x0),))
    eps = torch.randn_like(x0)
    s = abar[t][:, None]
    return s.sqrt() * x0 + (1 - s).sqrt() * eps, t, eps


def new_optimizer(net):
    return torch.optim.Adam(net.parameters(), lr=2e-3)


net = Denoiser()
opt = new_optimizer(net)
guard = Guard(net)
for step in range(1500):
    xt, t, eps = diffuse(moons())
    loss = (net(xt, t.float()) - eps).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if guard.observe(net, loss.item()):
        print("rolled back at", step)
        opt = new_optimizer(net)
    if step % 100 == 0:
        print(step, loss.item())
