# gradwatch-corpus: kind=none
"""Soil-moisture retrieval; reports are closures made at every step and handed
to a worker over a short queue, or kept until the next round of reporting."""
import queue
import threading

import torch
from torch import nn


class Worker(threading.Thread):
    def __init__(self, depth):
        super().__init__(daemon=True)
        self.jobs = queue.Queue(maxsize=depth)
        self.results = {}

    def run(self):
        while True:
            job = self.jobs.get()
            if job is None:
                break
            job(self.results)


class Hooks(list):
    def every(self, n):
        def register(fn):
            self.append((n, fn))
            return fn
        return register


class Retrieval(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.moisture = nn.Linear(32, 1)
        self.roughness = nn.Linear(32, 1)

    def forward(self, x):
        h = self.body(x)
        return self.moisture(h).squeeze(1), self.roughness(h).squeeze(1)


def backscatter(n, gen):
    m, r = torch.rand(n, generator=gen), torch.rand(n, generator=gen)
    angles = torch.linspace(0.3, 0.9, 6)
    x = m.sqrt().unsqueeze(1) * angles.cos() + r.unsqueeze(1) * angles.sin() ** 2
    return x + 0.02 * torch.randn(n, 6, generator=gen), m, r


def main(iterations=750):
    torch.manual_seed(131)
    gen = torch.Generator().manual_seed(132)
    model = Retrieval()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    worker = Worker(depth=20)
    worker.start()
    hooks = Hooks()
    waiting = {}

    @hooks.every(1)
    def queue_error(it, loss, m_hat, m):
        def job(results):
            slot = results.setdefault(it // 50, [0, 0.0])
            slot[0] += 1
            slot[1] += float((m_hat - m).detach().abs().mean())
        worker.jobs.put(job)

    @hooks.every(2)
    def keep(it, loss, m_hat, m):
        waiting[it % 60] = lambda: (loss.item(), m_hat.detach().std().item())

    @hooks.every(150)
    def show(it, loss, m_hat, m):
        values = torch.tensor([call() for call in waiting.values()])
        print(f"it {it} loss/std {values.mean(0).tolist()} kept {len(waiting)}")

    for it in range(iterations):
        x, m, r = backscatter(32, gen)
        m_hat, r_hat = model(x)
        loss = (m_hat - m).square().mean() + 0.5 * (r_hat - r).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        for n, hook in hooks:
            if it % n == 0:
                hook(it, loss, m_hat, m)
    worker.jobs.put(None)
    worker.join()
    print({k: round(total / count, 4) for k, (count, total) in worker.results.items()})


if __name__ == "__main__":
    main()
