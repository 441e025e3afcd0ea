# gradwatch-corpus: kind=graph-held
# holder: REPORTS | _report.__closure__ | row.__closure__ | REPORTS.put | REPORTS[-1] | improvement | est | sisnr
# first-bad: 1
# notice: 12
"""Two-source separation with a learned filterbank and permutation-invariant SI-SNR.
Metrics of steps are queued as thunks and rendered all together at the end."""
import functools
import itertools
import math
import queue

import torch
from torch import nn

REPORTS = queue.SimpleQueue()


def deferred(every):
    """Decorator: the wrapped step returns (loss, thunk); every n-th thunk is queued."""
    counter = itertools.count()

    def wrap(fn):
        @functools.wraps(fn)
        def inner(*args, **kw):
            loss, row = fn(*args, **kw)
            n = next(counter)
            if n % every == 0:
                REPORTS.put((n, row))  # <- culprit
            return loss
        return inner
    return wrap


def sources(batch, length=320):
    t = torch.arange(length) / 800.0
    f = torch.empty(batch, 2, 1)
    f[:, 0].uniform_(20, 60)
    f[:, 1].uniform_(90, 200)
    ph = 2 * math.pi * torch.rand(batch, 2, 1)
    env = 0.6 + 0.4 * torch.sin(2 * math.pi * 3 * t + ph)
    s = env * torch.sin(2 * math.pi * f * t + ph)
    return s + 0.02 * torch.randn_like(s)


class FilterbankMasker(nn.Module):
    def __init__(self, filters=32, kernel=16, stride=8):
        super().__init__()
        self.enc = nn.Conv1d(1, filters, kernel, stride, bias=False)
        self.net = nn.Sequential(
            nn.GroupNorm(1, filters),
            nn.Conv1d(filters, 32, 1), nn.PReLU(),
            nn.Conv1d(32, 32, 3, padding=2, dilation=2, groups=32), nn.PReLU(),
            nn.Conv1d(32, 2 * filters, 1),
        )
        self.dec = nn.ConvTranspose1d(filters, 1, kernel, stride, bias=False)

    def forward(self, mix):
        w = self.enc(mix.unsqueeze(1))
        mask = torch.sigmoid(self.net(w)).chunk(2, dim=1)
        return torch.cat([self.dec(w * m) for m in mask], dim=1)


def si_snr(est, ref, eps=1e-6):
    est = est - est.mean(-1, keepdim=True)
    ref = ref - ref.mean(-1, keepdim=True)
    proj = (est * ref).sum(-1, keepdim=True) * ref / (ref.pow(2).sum(-1, keepdim=True) + eps)
    noise = est - proj
    return 10 * torch.log10((proj.pow(2).sum(-1) + eps) / (noise.pow(2).sum(-1) + eps))


def pit(est, ref):
    straight = si_snr(est, ref).mean(1)
    swapped = si_snr(est.flip(1), ref).mean(1)
    return torch.maximum(straight, swapped)


def make_step(net, opt):
    @deferred(every=2)
    def step(ref):
        mix = ref.sum(1)
        est = net(mix)
        sisnr = pit(est, ref)
        loss = -sisnr.clamp_max(30).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        base = si_snr(mix.unsqueeze(1).expand_as(ref), ref).mean()

        def row():
            improvement = sisnr.mean() - base  # <- culprit
            return f"SI-SNR {sisnr.mean().item():6.2f} dB  improvement {improvement.item():6.2f} dB"

        return loss.item(), row  # <- culprit
    return step


def render(limit=8):
    rows = []
    while not REPORTS.empty():
        rows.append(REPORTS.get())
    for n, row in rows[:: max(1, len(rows) // limit)]:
        print(f"[{n:4d}] {row()}")


def main():
    torch.set_num_threads(1)
    torch.manual_seed(15)
    net = FilterbankMasker()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    step = make_step(net, opt)
    last = [step(sources(6)) for _ in range(300)][-20:]
    print("mean of last losses", sum(last) / len(last))
    render()


if __name__ == "__main__":
    main()
