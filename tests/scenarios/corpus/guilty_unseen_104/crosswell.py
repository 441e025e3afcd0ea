# gradwatch-corpus: kind=graph-held
# holder: self.rows | writer.rows | survey.writer.rows | rows
# first-bad: 1
# notice: 8
"""Crosswell travel-time tomography with a background table writer."""
import queue
import threading

import torch
import torch.nn.functional as F

NZ, NX, RAYS = 18, 12, 64


class TableWriter(threading.Thread):
    """Collects one row per iteration off the training thread."""

    STOP = object()

    def __init__(self):
        super().__init__(daemon=True)
        self.inbox = queue.Queue()
        self.rows = {}

    def run(self):
        while True:
            msg = self.inbox.get()
            if msg is self.STOP:
                break
            number, columns = msg
            self.rows[number] = columns  # <- culprit
            self.inbox.task_done()

    def put(self, number, **columns):
        self.inbox.put((number, columns))

    def finish(self):
        self.inbox.put(self.STOP)
        self.join()
        return [self.rows[k] for k in sorted(self.rows)]


def straight_ray(z0, z1, n=40):
    """Length of a straight ray in every cell of the panel."""
    t = (torch.arange(n) + 0.5) / n
    z = ((z0 + (z1 - z0) * t) * NZ).long().clamp(max=NZ - 1)
    x = (t * NX).long().clamp(max=NX - 1)
    cells = torch.zeros(NZ * NX)
    seg = ((1 + (z1 - z0) ** 2) ** 0.5) / n
    return cells.index_add_(0, z * NX + x, torch.full((n,), float(seg)))


class Survey:
    def __init__(self, writer, seed=0):
        g = torch.Generator().manual_seed(seed)
        ends = torch.rand(4 * RAYS, 2, generator=g)
        self.paths = torch.stack([straight_ray(a.item(), b.item()) for a, b in ends])
        truth = 0.4 + 0.1 * torch.sin(torch.linspace(0, 9, NZ)).view(-1, 1).expand(NZ, NX).clone()
        truth[6:11, 4:9] += 0.25
        self.truth = truth
        self.times = self.paths @ truth.flatten() + 0.003 * torch.randn(4 * RAYS, generator=g)
        self.raw = torch.zeros(NZ, NX, requires_grad=True)
        self.writer = writer
        self.g = g

    @property
    def slowness(self):
        return F.softplus(self.raw)

    def roughness(self, s):
        return (s[1:] - s[:-1]).abs().mean() + (s[:, 1:] - s[:, :-1]).abs().mean()

    def iterate(self, number, opt, lam):
        pick = torch.randperm(len(self.times), generator=self.g)[:RAYS]
        s = self.slowness
        misfit = F.huber_loss(self.paths[pick] @ s.flatten(), self.times[pick], delta=0.05)
        rough = self.roughness(s)
        loss = misfit + lam * rough
        opt.zero_grad()
        loss.backward()
        opt.step()
        self.writer.put(number, misfit=misfit, rough=rough, lam=lam)  # <- culprit


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    writer = TableWriter()
    writer.start()
    survey = Survey(writer)
    opt = torch.optim.Adam([survey.raw], lr=0.02)
    for number in range(500):
        survey.iterate(number, opt, lam=1e-3 * 0.995 ** number)
    rows = writer.finish()
    for k in range(0, len(rows), 100):
        part = rows[k:k + 100]
        mean = sum(float(r["misfit"]) for r in part) / len(part)
        rough = sum(float(r["rough"]) for r in part) / len(part)
        print(f"{k:4d}..{k + len(part) - 1:4d}  misfit {mean:.6f}  roughness {rough:.4f}")
    err = (survey.slowness.detach() - survey.truth).abs().mean()
    print("mean slowness error", round(err.item(), 4))


if __name__ == "__main__":
    main()
