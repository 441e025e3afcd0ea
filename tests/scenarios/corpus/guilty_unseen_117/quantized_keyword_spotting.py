# gradwatch-corpus: kind=graph-held
# holder: SoftQuant.calls
# first-bad: 1
# notice: 8

# trying to do quantization aware training for keyword spotting on a microcontroller
# wrote my own activation function because the built in fake quant confuses me
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(0)

SR = 800
KEYWORDS = ["yes", "no", "stop"]


class SoftQuant(torch.autograd.Function):
    """squash to (-1,1) then round to 2^bits levels, straight through for the round part"""
    calls = []      # to look at how far off the grid we were, afterwards

    @staticmethod
    def forward(ctx, x, bits):
        levels = 2 ** bits - 1
        t = torch.tanh(x)
        out = torch.round(t * levels) / levels
        ctx.x = x
        ctx.t, ctx.out = t, out
        ctx.levels = levels
        return out

    @staticmethod
    def backward(ctx, g):
        # small correction pulling values to the grid, seemed to help
        off = (ctx.t - ctx.out) * ctx.levels
        ctx.err = off.abs().mean().item()
        SoftQuant.calls.append(ctx)  # <- culprit
        gi = g * (1 - ctx.t * ctx.t) * (1 + 0.1 * off.abs())
        return gi, None


def make_word(k):
    t = torch.arange(SR // 4) / SR
    f0 = [40., 75., 120.][k] * (1 + 0.05 * torch.randn(1))
    sig = torch.sin(2 * math.pi * f0 * t + torch.rand(1) * 6)
    if k == 1:
        sig = sig * torch.exp(-8 * t)
    if k == 2:
        sig = sig * (t > 0.08).float()
    return sig + 0.2 * torch.randn_like(sig)


def get_batch(bs):
    ks = torch.randint(0, 3, (bs,))
    wav = torch.stack([make_word(int(k)) for k in ks])
    # poor mans spectrogram
    fr = wav.unfold(1, 40, 20) * torch.hann_window(40)
    sp = torch.fft.rfft(fr).abs().log1p()
    return sp.transpose(1, 2), ks   # B, freq, time


class KWSNet(nn.Module):
    def __init__(self, bits=4):
        super().__init__()
        self.bits = bits
        self.c1 = nn.Conv1d(21, 16, 3, padding=1)
        self.c2 = nn.Conv1d(16, 16, 3, padding=1)
        self.lin = nn.Linear(16, len(KEYWORDS))

    def act(self, x):
        return SoftQuant.apply(x, self.bits)

    def forward(self, x):
        x = self.act(self.c1(x))
        x = self.act(self.c2(x))
        return self.lin(x.mean(2))


net = KWSNet()
optim = torch.optim.Adam(net.parameters(), lr=4e-3)
hist = {"loss": [], "acc": []}

for step in range(240):
    xb, yb = get_batch(12)
    pred = net(xb)
    loss = F.cross_entropy(pred, yb)
    optim.zero_grad()
    loss.backward()
    optim.step()

    hist["loss"].append(loss.item())
    hist["acc"].append((pred.argmax(-1) == yb).float().mean().item())
    if step % 40 == 39:
        print("step", step + 1, "loss %.3f" % (sum(hist["loss"][-40:]) / 40),
              "acc %.2f" % (sum(hist["acc"][-40:]) / 40))

clip = sum((c.x.abs() > 2).float().mean().item() for c in SoftQuant.calls[-20:]) / 20
print("off grid: first calls %.3f last calls %.3f, clipped %.3f" % (
    sum(c.err for c in SoftQuant.calls[:20]) / 20, sum(c.err for c in SoftQuant.calls[-20:]) / 20, clip))

# export weights as int8 like the tutorial says
for n, p in net.named_parameters():
    s = p.detach().abs().max() / 127
    q = torch.clamp((p.detach() / s).round(), -127, 127).to(torch.int8)
    print(n, tuple(q.shape), "scale %.5f" % s.item())
