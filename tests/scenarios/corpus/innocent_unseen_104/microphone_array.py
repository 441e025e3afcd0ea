# gradwatch-corpus: kind=none
"""Locate sources with a microphone array; bad captures are set aside and listed
at the end, a thread keeps the log, a hand-written loss counts its saturations."""
import queue
import threading
import traceback

import torch
from torch import nn

torch.manual_seed(55)
torch.set_num_threads(1)


class SoftCap(torch.autograd.Function):
    saturation = []

    @staticmethod
    def forward(ctx, err, cap):
        ctx.save_for_backward(err)
        ctx.cap = cap
        SoftCap.saturation.append((err.abs() > cap).float().mean().item())
        return err.abs().clamp(max=cap).mean()

    @staticmethod
    def backward(ctx, grad):
        err, = ctx.saved_tensors
        return grad * err.sign() * (err.abs() <= ctx.cap) / err.numel(), None


class BadCapture(Exception):
    def __init__(self, text, estimate):
        super().__init__(text)
        self.estimate = estimate


class Log(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.q, self.lines = queue.Queue(), []

    def run(self):
        for item in iter(self.q.get, None):
            self.lines.append(item)

    def write(self, **kv):
        self.q.put({k: v.item() if torch.is_tensor(v) else v for k, v in kv.items()})


MICS = torch.tensor([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.2], [0.2, 0.7]])


def capture(n):
    src = torch.rand(n, 2)
    delay = torch.cdist(src, MICS) + 0.005 * torch.randn(n, len(MICS))
    if torch.rand(()) < 0.1:
        delay = delay + 3.0 * torch.randn(n, len(MICS))
    return delay - delay[:, :1], src


class Locator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 40), nn.Tanh(), nn.Linear(40, 2))

    def forward(self, tdoa):
        est = self.net(tdoa)
        if tdoa.abs().max() > 2.5:
            raise BadCapture(f"delay of {tdoa.abs().max().item():.2f}", est)
        return est


def main():
    model = Locator()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    log, aside = Log(), []
    log.start()
    for it in range(400):
        tdoa, src = capture(32)
        try:
            est = model(tdoa)
        except BadCapture as bad:
            aside.append((it, str(bad), traceback.format_exc(limit=1), bad.estimate.detach().mean(0)))
            est = model(tdoa.clamp(-1.5, 1.5))
        loss = SoftCap.apply(est - src, 0.4)
        opt.zero_grad()
        loss.backward()
        opt.step()
        log.write(it=it, loss=loss, spread=est.std())
    log.q.put(None)
    log.join()
    for row in log.lines[::80]:
        print(row)
    print(len(aside), "captures set aside; last:", aside[-1][1], aside[-1][3].tolist())
    print("saturated", sum(SoftCap.saturation) / len(SoftCap.saturation))


main()
