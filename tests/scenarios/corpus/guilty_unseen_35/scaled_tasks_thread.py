# gradwatch-corpus: kind=graph-chain
# holder: self.level | self.smoother.level | normaliser.smoother.level | smoother.level | level | self.smoother | normaliser.smoother
# first-bad: 1
"""Denoising autoencoder whose loss is divided by its own smoothed level.

The smoothing runs in a side thread: other jobs of the team share it with slow meters.
"""
import queue
import threading

import torch
from torch import nn
from torch.optim import Optimizer


class Lion(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.99)):
        super().__init__(params, dict(lr=lr, betas=betas))

    def step(self, closure=None):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                g = p.grad.data
                m = self.state[p].setdefault("m", torch.zeros_like(p.data))
                p.data.add_((b1 * m + (1 - b1) * g).sign(), alpha=-group["lr"])
                m.mul_(b2).add_(g, alpha=1 - b2)


class Smoother(threading.Thread):
    def __init__(self, decay):
        super().__init__(name="smoother", daemon=True)
        self.decay = decay
        self.level = None
        self.inbox = queue.Queue()
        self.outbox = queue.Queue()

    def run(self):
        while True:
            value = self.inbox.get()
            if value is None:
                return
            if self.level is None:
                self.level = value  # <- culprit
            else:
                self.level = self.decay * self.level + (1 - self.decay) * value  # <- culprit
            self.outbox.put(self.level)


class LossNormaliser:
    def __init__(self, decay=0.95):
        self.smoother = Smoother(decay)
        self.smoother.start()

    def __call__(self, loss):
        self.smoother.inbox.put(loss)  # <- culprit
        level = self.smoother.outbox.get()
        return loss / (level + 1e-6)

    def close(self):
        self.smoother.inbox.put(None)
        self.smoother.join()


def spectra(n=512, d=40):
    g = torch.Generator().manual_seed(2)
    grid = torch.linspace(0, 1, d)
    peak = torch.rand(n, 1, generator=g)
    return torch.exp(-((grid - peak) / 0.12) ** 2)


def main():
    torch.manual_seed(9)
    data = spectra()
    net = nn.Sequential(nn.Linear(40, 24), nn.SiLU(), nn.Linear(24, 6), nn.SiLU(), nn.Linear(6, 40))
    opt = Lion(net.parameters(), lr=2e-3)
    normaliser = LossNormaliser()
    for step in range(96):
        clean = data[torch.randint(len(data), (64,))]
        noisy = clean + 0.1 * torch.randn_like(clean)
        raw = (net(noisy) - clean).square().mean()
        loss = normaliser(raw)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        if step % 24 == 0:
            print(f"{step:4d} raw={raw.item():.5f} scaled={loss.item():.3f}")
    normaliser.close()


if __name__ == "__main__":
    main()
