# gradwatch-corpus: kind=graph-held
# holder: self.trace | probe.trace | act_probe.trace
# first-bad: 1
import torch
import torch.nn as nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

torch.manual_seed(0)
T = 50
betas = torch.linspace(1e-4, 0.08, T)
abar = torch.cumprod(1 - betas, 0)


class TimeEmbed(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("freq", torch.exp(torch.linspace(0, -6, dim // 2)))
        self.lin = nn.Linear(dim, dim)

    def forward(self, t):
        ang = t[:, None].float() * self.freq
        return self.lin(torch.cat([ang.sin(), ang.cos()], -1))


class ResBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.SiLU(), nn.Linear(2 * dim, dim))

    def forward(self, h, temb):
        return h + self.ff(self.norm(h) + temb)


class EpsNet(nn.Module):
    def __init__(self, dim=48, depth=4):
        super().__init__()
        self.inp = nn.Linear(2, dim)
        self.time = TimeEmbed(dim)
        self.blocks = nn.ModuleList([ResBlock(dim) for _ in range(depth)])
        self.out = nn.Linear(dim, 2)

    def forward(self, x, t):
        h, temb = self.inp(x), self.time(t)
        for b in self.blocks:
            h = b(h, temb)
        return self.out(h)


class ActProbe:
    """Records the spread and negative share of every residual block during training."""

    def __init__(self, net):
        self.trace = {}
        self.handles = []
        for name, mod in net.named_modules():
            if isinstance(mod, ResBlock):
                self.trace[name] = []
                self.handles.append(mod.register_forward_hook(self._hook(name)))

    def _hook(self, name):
        def record(mod, args, out):
            if not mod.training:
                return
            spread = out.std()
            negative = (out < 0).float().mean()
            self.trace[name].append((spread, negative))  # <- culprit
        return record

    def report(self, last=50):
        rows = []
        for name, vals in self.trace.items():
            spread, neg = (sum(v[i].item() for v in vals[-last:]) / len(vals[-last:]) for i in (0, 1))
            rows.append(f"{name} std={spread:.2f} neg={neg:.2f}")
        return ", ".join(rows)

    def close(self):
        for h in self.handles:
            h.remove()


def moons(n):
    a = torch.rand(n) * torch.pi
    side = torch.randint(0, 2, (n,)).float()
    x = torch.stack([a.cos() + side - 0.5, (1 - 2 * side) * a.sin() + 0.25 * side], 1)
    return x + 0.05 * torch.randn_like(x)


@torch.no_grad()
def sample(net, n=128):
    x = torch.randn(n, 2)
    for i in reversed(range(T)):
        eps = net(x, torch.full((n,), i))
        x = (x - betas[i] / (1 - abar[i]).sqrt() * eps) / (1 - betas[i]).sqrt()
        if i:
            x = x + betas[i].sqrt() * torch.randn_like(x)
    return x


net = EpsNet()
ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.98)).eval()
act_probe = ActProbe(net)
opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
for it in range(1, 181):
    x0, t, noise = moons(128), torch.randint(0, T, (128,)), torch.randn(128, 2)
    xt = abar[t].sqrt()[:, None] * x0 + (1 - abar[t]).sqrt()[:, None] * noise
    loss = (net(xt, t) - noise).square().mean()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    ema.update_parameters(net)
    if it % 60 == 0:
        print(it, round(loss.item(), 4), act_probe.report())
act_probe.close()
print("sample std", sample(ema).std(0).tolist())
