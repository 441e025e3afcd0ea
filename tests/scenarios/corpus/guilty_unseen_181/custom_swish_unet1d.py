# gradwatch-corpus: kind=graph-held
# holder: GatedSwish.seen
# first-bad: 1
import torch
import torch.nn as nn


class GatedSwish(torch.autograd.Function):
    """x * sigmoid(beta * x) with a gradient for beta as well."""

    seen = []

    @staticmethod
    def forward(ctx, x, beta):
        gate = torch.sigmoid(beta * x)
        result = x * gate
        ctx.save_for_backward(x, beta, gate)
        GatedSwish.seen.append(x)  # <- culprit
        return result

    @staticmethod
    def backward(ctx, grad_out):
        x, beta, gate = ctx.saved_tensors
        slope = x * gate * (1 - gate)
        dx = gate + beta * slope
        dbeta = (grad_out * x * slope).sum().reshape(beta.shape)
        return grad_out * dx, dbeta


class Swish(nn.Module):
    def __init__(self):
        super().__init__()
        self.beta = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return GatedSwish.apply(x, self.beta)


class TinyUNet(nn.Module):
    def __init__(self, ch=6):
        super().__init__()
        self.inc = nn.Conv1d(1, ch, 3, padding=1)
        self.down = nn.Conv1d(ch, 2 * ch, 4, stride=2, padding=1)
        self.mid = nn.Conv1d(2 * ch, 2 * ch, 3, padding=1)
        self.up = nn.ConvTranspose1d(2 * ch, ch, 4, stride=2, padding=1)
        self.out = nn.Conv1d(2 * ch, 1, 3, padding=1)
        self.act1, self.act2, self.act3 = Swish(), Swish(), Swish()

    def forward(self, x):
        a = self.act1(self.inc(x))
        b = self.act2(self.down(a))
        b = self.act3(self.mid(b))
        u = self.up(b)
        return x - self.out(torch.cat([a, u], dim=1))


def traces(n, length=64):
    """Clean and noisy seismic-like wavelets."""
    t = torch.linspace(-1, 1, length).expand(n, length)
    centre = torch.rand(n, 1) - 0.5
    freq = 6 + 6 * torch.rand(n, 1)
    arg = (3.1416 * freq * (t - centre)) ** 2
    clean = (1 - 2 * arg) * torch.exp(-arg)
    noisy = clean + 0.2 * torch.randn(n, length)
    return noisy.unsqueeze(1), clean.unsqueeze(1)


def input_range(last=30):
    """Typical range of what reached the activation lately."""
    recent = GatedSwish.seen[-last:]
    lo = min(t.min().item() for t in recent)
    hi = max(t.max().item() for t in recent)
    return round(lo, 2), round(hi, 2)


def snr(clean, est):
    noise = (clean - est).pow(2).sum()
    return 10 * torch.log10(clean.pow(2).sum() / noise)


torch.manual_seed(31)
net = TinyUNet()
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
loss_fn = nn.L1Loss()

for it in range(700):
    noisy, clean = traces(12)
    optimizer.zero_grad()
    est = net(noisy)
    loss = loss_fn(est, clean)
    loss.backward()
    optimizer.step()

    if it % 100 == 0:
        with torch.no_grad():
            before, after = snr(clean, noisy).item(), snr(clean, est).item()
        betas = [round(m.beta.item(), 2) for m in net.modules() if isinstance(m, Swish)]
        print(f"it {it:3d} L1 {loss.item():.4f} SNR {before:.1f} -> {after:.1f} dB beta {betas} range {input_range()}")
