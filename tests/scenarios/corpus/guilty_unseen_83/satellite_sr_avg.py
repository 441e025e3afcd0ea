# gradwatch-corpus: kind=graph-held
# holder: self.shadow | averager.shadow | avg.shadow
# first-bad: 121
# notice: 8
# Super resolution x2 of (fake) Sentinel-2 patches. ESPCN-like net, averaged weights for evaluation.
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(7)

ITERS = 360
AVG_START = 120
BANDS = 4


def fake_scene(n, size=16):
    """fields, rivers and some texture: sums of oriented waves + blocks"""
    yy, xx = torch.meshgrid(torch.linspace(0, 1, size), torch.linspace(0, 1, size), indexing="ij")
    out = torch.zeros(n, BANDS, size, size)
    for k in range(3):
        theta = torch.rand(n, 1, 1) * math.pi
        freq = 3 + 12 * torch.rand(n, 1, 1)
        wave = torch.sin(freq * (xx * torch.cos(theta) + yy * torch.sin(theta)))
        out += torch.rand(n, BANDS, 1, 1) * wave.unsqueeze(1) / (k + 1)
    blocks = F.interpolate(torch.rand(n, BANDS, 4, 4), size=size, mode="nearest")
    return 0.5 * out + blocks


def degrade(hr):
    lr = F.avg_pool2d(hr, 2)
    return lr + 0.01 * torch.randn_like(lr)


class ESPCN(nn.Module):
    def __init__(self, ch=16):
        super().__init__()
        self.c1 = nn.Conv2d(BANDS, ch, 3, padding=1)
        self.c2 = nn.Conv2d(ch, ch, 3, padding=1)
        self.c3 = nn.Conv2d(ch, BANDS * 4, 3, padding=1)
        self.up = nn.PixelShuffle(2)

    def forward(self, x):
        h = torch.tanh(self.c1(x))
        h = h + torch.tanh(self.c2(h))
        return self.up(self.c3(h)) + F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)


class WeightAverager:
    """Polyak average of the weights once training has settled."""

    def __init__(self, model, start, decay=0.99):
        self.start = start
        self.decay = decay
        self.shadow = {}
        self.net = copy.deepcopy(model)

    def step(self, it, model):
        if it < self.start:
            return
        for name, p in model.named_parameters():
            if name not in self.shadow:
                self.shadow[name] = p.clone()  # <- culprit
            else:
                self.shadow[name] = self.decay * self.shadow[name] + (1 - self.decay) * p  # <- culprit

    def export(self):
        if self.shadow:
            self.net.load_state_dict({k: v.detach() for k, v in self.shadow.items()})
        return self.net


def psnr(a, b):
    return -10 * torch.log10(F.mse_loss(a, b))


def evaluate(net, hr):
    with torch.no_grad():
        return psnr(net(degrade(hr)), hr).item()


def train():
    net = ESPCN()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, ITERS)
    averager = WeightAverager(net, AVG_START)
    val = fake_scene(16)
    for it in range(ITERS):
        hr = fake_scene(6)
        loss = F.l1_loss(net(degrade(hr)), hr)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        averager.step(it, net)
        if it % 60 == 59:
            print(f"{it + 1:4d} l1 {loss.item():.4f} raw {evaluate(net, val):.2f} dB "
                  f"avg {evaluate(averager.export(), val):.2f} dB")


train()
