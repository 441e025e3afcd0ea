# gradwatch-corpus: kind=none
# Cloud masks on tiny tiles. Keeps the last few predictions around so that, when
# the loss spikes, we can print which tiles did it.
import torch
import torch.nn as nn
import torch.nn.functional as F
from typing import List, NamedTuple, Optional


class Snapshot(NamedTuple):
    step: int
    per_tile: torch.Tensor
    logits: torch.Tensor


class FlightRecorder:
    def __init__(self, slots: int = 32):
        self.slots: List[Optional[Snapshot]] = [None] * slots
        self.head = 0

    def push(self, snap: Snapshot) -> None:
        self.slots[self.head] = snap
        self.head = (self.head + 1) % len(self.slots)

    def recent(self):
        ordered = self.slots[self.head:] + self.slots[:self.head]
        return [s for s in ordered if s is not None]

    def typical(self) -> float:
        means = [s.per_tile.detach().mean() for s in self.recent()]
        return torch.stack(means).median().item() if means else float("inf")

    def dump(self, n: int = 3) -> None:
        for s in self.recent()[-n:]:
            worst = int(s.per_tile.argmax())
            cover = torch.sigmoid(s.logits[worst]).mean().item()
            print(f"    step {s.step}: tile {worst} loss {s.per_tile[worst].item():.3f} cover {cover:.2f}")


class TinyUNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.enc = nn.Conv2d(3, c, 3, padding=1)
        self.down = nn.Conv2d(c, 2 * c, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(2 * c, c, 2, stride=2)
        self.out = nn.Conv2d(2 * c, 1, 1)

    def forward(self, x):
        a = F.relu(self.enc(x))
        b = F.relu(self.down(a))
        return self.out(torch.cat([a, F.relu(self.up(b))], 1)).squeeze(1)


def tiles(n, size=16, hard=False):
    low = F.interpolate(torch.randn(n, 1, 4, 4), size=size, mode="bilinear", align_corners=False)
    mask = (low.squeeze(1) > 0.2).float()
    noise = 0.9 if hard else 0.3
    rgb = torch.rand(n, 3, 1, 1) * 0.3 + 0.6 * mask[:, None] + noise * torch.randn(n, 3, size, size)
    return rgb, mask


def main():
    torch.set_num_threads(1)
    torch.manual_seed(11)
    net, recorder = TinyUNet(), FlightRecorder(slots=32)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(340):
        rgb, mask = tiles(8, hard=step % 75 == 74)
        logits = net(rgb)
        per_tile = F.binary_cross_entropy_with_logits(logits, mask, reduction="none").mean((1, 2))
        loss = per_tile.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        spike = loss.item() > 1.3 * recorder.typical()
        recorder.push(Snapshot(step, per_tile, logits))
        if spike:
            print(f"spike at {step}: {loss.item():.3f} against {recorder.typical():.3f}")
            recorder.dump()
    print("final", round(loss.item(), 4))


main()
