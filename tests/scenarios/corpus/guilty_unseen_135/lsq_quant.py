# gradwatch-corpus: kind=graph-held
# holder: LOG.entries | self.entries
# first-bad: 1
# notice: 8
"""Quantisation-aware training with learned step sizes (LSQ) of a small MLP-mixer."""
import torch
from torch import nn

torch.set_num_threads(1)


class CalibrationLog:
    def __init__(self):
        self.entries = []

    def note(self, rec):
        self.entries.append(rec)  # <- culprit

    def clip_share(self, last=20):
        picked = self.entries[-last:]
        return sum(r.clipped for r in picked) / max(1, len(picked))


LOG = CalibrationLog()


class StepQuant(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, step, bits):
        hi = 2 ** (bits - 1) - 1
        lo = -hi - 1
        scaled = x / step
        inside = (scaled >= lo) & (scaled <= hi)
        q = scaled.round().clamp(lo, hi)
        ctx.x, ctx.step, ctx.q, ctx.inside = x, step, q, inside
        ctx.clipped = 1.0 - inside.float().mean().item()
        LOG.note(ctx)  # <- culprit
        return q * step

    @staticmethod
    def backward(ctx, grad):
        gx = grad * ctx.inside
        gs = torch.where(ctx.inside, ctx.q - ctx.x / ctx.step, ctx.q)
        return gx, (grad * gs).sum().reshape(1) / ctx.x.numel() ** 0.5, None


class QLinear(nn.Linear):
    def __init__(self, i, o, bits=4):
        super().__init__(i, o)
        self.bits = bits
        self.act_step = nn.Parameter(torch.tensor([0.25]))

    def forward(self, x):
        return super().forward(StepQuant.apply(x, self.act_step, self.bits))


class Mixer(nn.Module):
    def __init__(self, patches=8, dim=10, classes=3):
        super().__init__()
        self.embed = nn.Linear(12, dim)
        self.tok = QLinear(patches, patches)
        self.chan = QLinear(dim, dim)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, p):
        h = self.embed(p)
        h = h + torch.relu(self.tok(h.transpose(1, 2)).transpose(1, 2))
        h = h + torch.relu(self.chan(self.norm(h)))
        return self.head(h.mean(1))


def main(steps=220):
    torch.manual_seed(4)
    net = Mixer()
    protos = torch.randn(3, 8, 12)
    optim = torch.optim.Adam(
        [
            {"params": [p for n, p in net.named_parameters() if "step" not in n], "lr": 3e-3},
            {"params": [p for n, p in net.named_parameters() if "step" in n], "lr": 1e-3},
        ]
    )
    for s in range(1, steps + 1):
        y = torch.randint(0, 3, (10,))
        loss = nn.functional.cross_entropy(net(protos[y] + torch.randn(10, 8, 12)), y)
        optim.zero_grad()
        loss.backward()
        optim.step()
        if s % 55 == 0:
            print(s, f"loss {loss.item():.3f}", f"clipped {LOG.clip_share():.3%}")


if __name__ == "__main__":
    main()
