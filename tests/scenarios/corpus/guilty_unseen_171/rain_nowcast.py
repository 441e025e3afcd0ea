# gradwatch-corpus: kind=inplace-modified
# first-bad: 60
"""Radar rain nowcasting: advect the last frame with a predicted motion field, and gate it with a
predicted decay map. Beam-blocked cells are taken into account once the motion has settled."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(9)

SIZE = 20
FRAMES = 3
WARMUP = 60


class RadarLoop:
    """Rain cells that drift, grow and fade over a small domain."""

    def __init__(self, seed=9):
        self.g = torch.Generator().manual_seed(seed)
        yy, xx = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
        self.yy, self.xx = yy.float(), xx.float()
        self.blocked = ((self.xx - 4).abs() < 1.5) & (self.yy > 12)

    def _u(self, lo, hi, n):
        return lo + (hi - lo) * torch.rand(n, 1, 1, generator=self.g)

    def batch(self, n):
        cy, cx = self._u(5, 15, n), self._u(5, 15, n)
        vy, vx = self._u(-1.2, 1.2, n), self._u(-1.2, 1.2, n)
        width, fade = self._u(2, 4, n), self._u(0.8, 1.0, n)
        seq = []
        for t in range(FRAMES + 1):
            r2 = (self.yy - cy - vy * t) ** 2 + (self.xx - cx - vx * t) ** 2
            seq.append(fade ** t * torch.exp(-r2 / (2 * width ** 2)))
        seq = torch.stack(seq, dim=1)
        return seq[:, :FRAMES], seq[:, FRAMES:]


class Nowcaster(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(FRAMES, width, 5, padding=2), nn.ReLU(),
            nn.Conv2d(width, width, 5, padding=2), nn.ReLU(),
        )
        self.motion = nn.Conv2d(width, 2, 1)
        self.decay = nn.Conv2d(width, 1, 1)
        nn.init.zeros_(self.motion.weight)
        nn.init.constant_(self.decay.bias, 2.0)
        lin = torch.linspace(-1, 1, SIZE)
        gy, gx = torch.meshgrid(lin, lin, indexing="ij")
        self.register_buffer("grid", torch.stack([gx, gy], dim=-1))

    def forward(self, frames, blocked=None):
        h = self.trunk(frames)
        flow = torch.tanh(self.motion(h)).permute(0, 2, 3, 1) * 0.3
        moved = F.grid_sample(frames[:, -1:], self.grid + flow, align_corners=True)
        keep = torch.sigmoid(self.decay(h))
        if blocked is not None:
            keep[:, :, blocked] = 0.0  # <- culprit
        return moved * keep, flow


def smoothness(flow):
    return (flow[:, 1:] - flow[:, :-1]).pow(2).mean() + (flow[:, :, 1:] - flow[:, :, :-1]).pow(2).mean()


def train(steps=500, batch=16):
    radar = RadarLoop()
    net = Nowcaster()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    running = 0.0
    for step in range(steps):
        frames, target = radar.batch(batch)
        blocked = None
        if step >= WARMUP:
            blocked = radar.blocked
            target = target.masked_fill(blocked, 0.0)
        pred, flow = net(frames, blocked)
        loss = F.l1_loss(pred, target) * 10 + 0.5 * smoothness(flow)
        opt.zero_grad()
        loss.backward()
        opt.step()
        running += loss.item()
        if step % 25 == 24:
            print(f"step {step + 1:4d}  loss {running / 25:.4f}")
            running = 0.0


if __name__ == "__main__":
    train()
