# gradwatch-corpus: kind=memory-climb
# first-bad: 1
"""Set transformer on a max-of-set task; a thread summarises attention maps."""
import queue
import threading

import torch
import torch.nn.functional as F
from torch import nn


class MapWriter(threading.Thread):
    """Consumes attention maps and keeps entropy statistics per head."""

    def __init__(self, maxsize=8):
        super().__init__(daemon=True)
        self.inbox = queue.Queue(maxsize)
        self.entropy = []
        self.frames = {}

    def submit(self, step, maps):
        self.inbox.put((step, maps))

    def run(self):
        while True:
            item = self.inbox.get()
            if item is None:
                return
            self.consume(*item)

    def consume(self, step, maps):
        ent = -(maps * (maps + 1e-9).log()).sum(-1).mean((0, 2))
        self.entropy.append(ent.tolist())
        self.frames[step] = maps  # <- culprit

    def summary(self):
        last = self.frames[max(self.frames)]
        return f"entropy {self.entropy[-1]} peak {last.max().item():.3f}"

    def stop(self):
        self.inbox.put(None)
        self.join()


class SetAttention(nn.Module):
    def __init__(self, dim=16, heads=2):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.maps = None

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        att = (q @ k.transpose(-1, -2) / (d // self.heads) ** 0.5).softmax(-1)
        self.maps = att.detach().clone()
        return x + (att @ v).transpose(1, 2).reshape(b, n, d)


class SetModel(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.inp = nn.Linear(3, dim)
        self.att = SetAttention(dim)
        self.out = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.out(self.att(self.inp(x)).amax(1)).squeeze(-1)


def sets(n, seed=10):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        x = torch.randn(16, 40, 3, generator=g)
        yield x, x.norm(dim=-1).amax(1)


def main(steps=450):
    torch.manual_seed(0)
    model = SetModel()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    writer = MapWriter()
    writer.start()
    for step, (x, y) in enumerate(sets(steps)):
        loss = F.smooth_l1_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        writer.submit(step, model.att.maps)
        if step % 90 == 0:
            print(step, round(loss.item(), 4), flush=True)
    writer.stop()
    print(writer.summary())


if __name__ == "__main__":
    main()
