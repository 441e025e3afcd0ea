# gradwatch-corpus: kind=graph-held
# holder: buckets | record.__closure__
# first-bad: 1
import math

import torch
import torch.nn as nn

torch.manual_seed(11)
T = 100
N_BUCKETS = 5


def cosine_schedule(n, s=0.008):
    t = torch.linspace(0, 1, n + 1)
    f = torch.cos((t + s) / (1 + s) * math.pi / 2) ** 2
    ab = f / f[0]
    betas = (1 - ab[1:] / ab[:-1]).clamp(max=0.999)
    return torch.cumprod(1 - betas, 0)


def spirals(n):
    r = torch.rand(n).sqrt() * 3 * math.pi
    s = torch.where(torch.rand(n) < 0.5, 1.0, -1.0)
    xy = torch.stack([r.cos() * r, r.sin() * r], 1) / 10 * s[:, None]
    return xy + 0.02 * torch.randn(n, 2)


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("freqs", torch.exp(torch.linspace(0, -6, dim // 2)))

    def forward(self, t):
        a = t[:, None].float() * self.freqs
        return torch.cat([a.sin(), a.cos()], -1)


class Denoiser(nn.Module):
    def __init__(self, width=96):
        super().__init__()
        self.temb = TimeEmbedding(32)
        self.inp = nn.Linear(2 + 32, width)
        self.layers = nn.ModuleList(nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU())
                                    for _ in range(3))
        self.out = nn.Linear(width, 2)

    def forward(self, x, t):
        h = self.inp(torch.cat([x, self.temb(t)], -1))
        for layer in self.layers:
            h = h + layer(h)
        return self.out(h)


def make_bucket_tracker(n_buckets, horizon):
    buckets = [[] for _ in range(n_buckets)]

    def record(t, per_sample):
        which = t * n_buckets // horizon
        for b in range(n_buckets):
            m = which == b
            if m.any():
                buckets[b].append(per_sample[m].mean())  # <- culprit

    def report():
        return [sum(x.item() for x in b[-20:]) / max(1, len(b[-20:])) for b in buckets]

    return record, report


def diffusion_loss(net, x0, alpha_bar, on_losses=None):
    t = torch.randint(0, T, (x0.shape[0],))
    eps = torch.randn_like(x0)
    ab = alpha_bar[t][:, None]
    xt = ab.sqrt() * x0 + (1 - ab).sqrt() * eps
    per_sample = (net(xt, t) - eps).pow(2).mean(-1)
    if on_losses is not None:
        on_losses(t, per_sample)  # <- culprit
    snr_w = (ab.squeeze(-1) / (1 - ab.squeeze(-1))).clamp(max=5.0).sqrt() + 0.2
    return (snr_w * per_sample).mean()


@torch.no_grad()
def sample(net, n, alpha_bar):
    x = torch.randn(n, 2)
    for i in reversed(range(0, T, 10)):
        t = torch.full((n,), i)
        e = net(x, t)
        x0 = ((x - (1 - alpha_bar[i]).sqrt() * e) / alpha_bar[i].sqrt()).clamp(-2, 2)
        prev = alpha_bar[max(i - 10, 0)]
        x = prev.sqrt() * x0 + (1 - prev).sqrt() * e
    return x


alpha_bar = cosine_schedule(T)
net = Denoiser()
ema = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.99))
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
record, report = make_bucket_tracker(N_BUCKETS, T)

for it in range(150):
    loss = diffusion_loss(net, spirals(128), alpha_bar, on_losses=record)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    ema.update_parameters(net)
    if (it + 1) % 50 == 0:
        print(it + 1, "%.4f" % loss.item(), ["%.3f" % v for v in report()])

print("sample std", sample(ema.module, 64, alpha_bar).std().item())
