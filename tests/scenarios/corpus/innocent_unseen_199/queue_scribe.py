# gradwatch-corpus: kind=none
"""Metrics go to a scribe thread, as tensors, so that the loop never waits on them."""
import queue
import threading

import torch
from torch import nn

STOP = object()


class Scribe(threading.Thread):
    def __init__(self, depth=16):
        super().__init__(daemon=True)
        self.inbox = queue.Queue(maxsize=depth)
        self.latest = {}
        self.means = {}
        self.count = 0

    def put(self, step, **tensors):
        self.inbox.put((step, tensors))

    def run(self):
        while True:
            msg = self.inbox.get()
            if msg is STOP:
                return
            step, tensors = msg
            self.latest = tensors
            for name, t in tensors.items():
                old = self.means.get(name, t.detach().mean())
                self.means[name] = old + 0.05 * (t.detach().mean() - old)
            self.count += 1
            self.inbox.task_done()


class MixtureDensity(nn.Module):
    def __init__(self, k=5):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.pi, self.mu, self.log_sd = nn.Linear(32, k), nn.Linear(32, k), nn.Linear(32, k)

    def forward(self, x):
        h = self.trunk(x)
        return self.pi(h).log_softmax(-1), self.mu(h), self.log_sd(h).clamp(-4, 2)

    def nll(self, x, y):
        log_pi, mu, log_sd = self(x)
        log_n = -0.5 * ((y - mu) / log_sd.exp()).pow(2) - log_sd - 0.919
        return -torch.logsumexp(log_pi + log_n, -1), log_pi


def main():
    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(18)
    scribe = Scribe()
    scribe.start()
    model = MixtureDensity()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(800):
        y = torch.rand(64, 1, generator=gen) * 20 - 10
        x = 0.3 * y + 2.5 * torch.sin(0.75 * y) + 0.5 * torch.randn(64, 1, generator=gen)
        per_point, log_pi = model.nll(x / 5, y / 5)
        entropy = -(log_pi.exp() * log_pi).sum(-1)
        loss = per_point.mean() - 0.01 * entropy.mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        scribe.put(step, nll=per_point, entropy=entropy, loss=loss)
        if step % 200 == 199:
            scribe.inbox.join()
            print(step + 1, {k: round(v.item(), 3) for k, v in scribe.means.items()}, scribe.count)
    scribe.inbox.put(STOP)
    scribe.join()
    print("last", {k: tuple(v.shape) for k, v in scribe.latest.items()})


if __name__ == "__main__":
    main()
