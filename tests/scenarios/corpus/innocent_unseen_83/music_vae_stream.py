# gradwatch-corpus: kind=none
# VAE of drum patterns with a context taken from the bars before; the gradient flows back over the last WINDOW bars.
import math
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(120)

BARS = 400
WINDOW = 4
VOICES, TICKS = 4, 16
LAT, CTX, B = 6, 12, 8

GROOVES = (torch.rand(6, VOICES * TICKS) < 0.25).float()


def bar_stream():
    g = torch.randint(0, 6, (B,))
    while True:
        change = torch.rand(B) < 0.15
        g = torch.where(change, torch.randint(0, 6, (B,)), g)
        x = GROOVES[g]
        yield (x - (torch.rand_like(x) < 0.04).float()).abs()


class DrumVAE(nn.Module):
    def __init__(self):
        super().__init__()
        d = VOICES * TICKS
        self.enc = nn.Linear(d + CTX, 32)
        self.mu, self.lv = nn.Linear(32, LAT), nn.Linear(32, LAT)
        self.dec = nn.Sequential(nn.Linear(LAT + CTX, 32), nn.ReLU(), nn.Linear(32, d))
        self.ctx = nn.GRUCell(d, CTX)

    def bar(self, x, ctx):
        h = torch.relu(self.enc(torch.cat([x, ctx], 1)))
        mu, lv = self.mu(h), self.lv(h).clamp(-6, 4)
        z = mu + torch.randn_like(mu) * (0.5 * lv).exp()
        rec = self.dec(torch.cat([z, ctx], 1))
        bce = F.binary_cross_entropy_with_logits(rec, x, reduction="none").sum(1).mean()
        kl = -0.5 * (1 + lv - mu ** 2 - lv.exp()).sum(1).mean()
        return bce, kl


class Context:
    """Past bars; the context is run over the window again for each bar, from a fixed state before it."""

    def __init__(self, cell):
        self.cell = cell
        self.origin = torch.zeros(B, CTX)
        self.window = deque()

    def current(self):
        h = self.origin
        for x in self.window:
            h = self.cell(x, h)
        return h

    def push(self, x):
        self.window.append(x)
        if len(self.window) > WINDOW:
            oldest = self.window.popleft()
            with torch.no_grad():
                self.origin = self.cell(oldest, self.origin)


class BetaControl:
    """PI controller of beta towards a wanted KL"""

    def __init__(self, target, kp=0.01, ki=0.001):
        self.target, self.kp, self.ki = target, kp, ki
        self.i = 0.0
        self.value = 0.1

    def update(self, kl):
        e = self.target - kl
        self.i = max(-500, min(500, self.i - e))
        self.value = min(1.0, max(0.01, self.kp / (1 + math.exp(max(-30, min(30, e)))) + self.ki * self.i))


vae = DrumVAE()
opt = torch.optim.Adam(vae.parameters(), lr=4e-3)
ctx = Context(vae.ctx)
beta = BetaControl(target=3.0)
last_losses = deque(maxlen=20)
trace = []

for i, x in zip(range(BARS), bar_stream()):
    c = ctx.current()
    bce, kl = vae.bar(x, c)
    loss = bce + beta.value * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
    ctx.push(x)
    beta.update(kl.item())
    last_losses.append((bce, kl))
    trace.append({"bar": i, "bce": bce.item(), "kl": kl.item(), "ctx": c.detach().norm().item()})
    if i % 50 == 49:
        m_bce = sum(a for a, _ in last_losses) / len(last_losses)
        m_kl = sum(b for _, b in last_losses) / len(last_losses)
        print(f"bar {i + 1} bce {m_bce.item():.2f} kl {m_kl.item():.2f} beta {beta.value:.3f} |ctx| {trace[-1]['ctx']:.2f}")
