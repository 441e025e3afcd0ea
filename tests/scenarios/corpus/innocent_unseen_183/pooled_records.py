# gradwatch-corpus: kind=none
"""Slice-wise tomography denoiser; step records come from a fixed pool."""
import torch
from torch import nn


class Record:
    __slots__ = ("step", "loss", "output", "in_use")

    def __init__(self):
        self.in_use = False
        self.step = self.loss = self.output = None

    def fill(self, step, loss, output):
        self.step, self.loss, self.output = step, loss, output


class RecordPool:
    def __init__(self, size):
        self.free = [Record() for _ in range(size)]
        self.busy = []

    def acquire(self):
        if not self.free:
            self.release(self.busy[0])
        rec = self.free.pop()
        rec.in_use = True
        self.busy.append(rec)
        return rec

    def release(self, rec):
        self.busy.remove(rec)
        rec.in_use = False
        self.free.append(rec)

    def worst(self):
        return max(self.busy, key=lambda r: r.loss.item())


class Denoiser(nn.Module):
    def __init__(self, ch=6):
        super().__init__()
        self.enc = nn.Conv2d(1, ch, 3, padding=1)
        self.mid = nn.Conv2d(ch, ch, 3, padding=1, groups=ch)
        self.dec = nn.Conv2d(ch, 1, 3, padding=1)

    def forward(self, x):
        h = torch.relu(self.enc(x))
        return x - self.dec(torch.relu(h + self.mid(h)))


def phantom(gen, n=4, size=16):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    cy, cx = torch.randint(4, 12, (2, n, 1, 1), generator=gen)
    clean = ((yy - cy) ** 2 + (xx - cx) ** 2 < 14).float()[:, None]
    return clean + 0.3 * torch.randn(n, 1, size, size, generator=gen), clean


def main():
    torch.manual_seed(44)
    gen = torch.Generator().manual_seed(44)
    net = Denoiser()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    pool = RecordPool(48)
    for step in range(450):
        noisy, clean = phantom(gen)
        out = net(noisy)
        loss = nn.functional.smooth_l1_loss(out, clean)
        opt.zero_grad()
        loss.backward()
        opt.step()
        pool.acquire().fill(step, loss, out)
        if step % 75 == 74:
            rec = pool.worst()
            print(f"{step} loss {loss.item():.5f} worst@{rec.step} {rec.loss.item():.5f} free {len(pool.free)}")


if __name__ == "__main__":
    main()
