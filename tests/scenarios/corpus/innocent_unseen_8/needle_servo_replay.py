# gradwatch-corpus: kind=none
# about: the replay memory takes 0.6 MB per iteration, but evicts from iteration 110 on; the episode's live predictions are dropped at its end
"""Visual servoing of a needle tip: forward model of camera frames under motor commands, trained from replay."""
import math
import random
from collections import namedtuple

import torch
import torch.nn.functional as F
from torch import nn

Clip = namedtuple("Clip", "frames motors")
SIDE, LENGTH, CREWS = 24, 16, 16


class Rig:
    """Renders a blurred tip that follows velocity commands."""

    def __init__(self):
        ax = torch.linspace(-1, 1, SIDE)
        self.y, self.x = torch.meshgrid(ax, ax, indexing="ij")

    def record(self):
        tip = torch.rand(CREWS, 2) - 0.5
        frames, motors = [], []
        for _ in range(LENGTH):
            cmd = 0.3 * torch.randn(CREWS, 2)
            d2 = (self.x - tip[:, :1, None]).pow(2) + (self.y - tip[:, 1:, None]).pow(2)
            frames.append(torch.exp(-d2 / 0.05))
            motors.append(cmd)
            tip = (tip + 0.4 * cmd).clamp(-0.9, 0.9)
        return Clip(torch.stack(frames, 1), torch.stack(motors, 1))


class ReplayMemory:
    def __init__(self, room):
        self.room = room
        self.clips = []
        self.cursor = 0

    def add(self, clip):
        if len(self.clips) < self.room:
            self.clips.append(clip)
        else:
            self.clips[self.cursor] = clip
            self.cursor = (self.cursor + 1) % self.room

    def draw(self, n):
        picks = [random.choice(self.clips) for _ in range(n)]
        t = random.randrange(LENGTH - 3)
        return (torch.cat([c.frames[:4, t:t + 4] for c in picks]), torch.cat([c.motors[:4, t:t + 3] for c in picks]))


class FrameModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.look = nn.Sequential(nn.Conv2d(1, 8, 5, 2, 2), nn.SiLU(), nn.Conv2d(8, 8, 5, 2, 2), nn.SiLU())
        self.push = nn.Linear(2, 8)
        self.draw = nn.Sequential(nn.Conv2d(8, 16, 3, 1, 1), nn.SiLU(), nn.Conv2d(16, 16, 3, 1, 1), nn.PixelShuffle(4))

    def forward(self, frame, cmd):
        h = self.look(frame[:, None]) * torch.tanh(self.push(cmd))[:, :, None, None]
        return frame + self.draw(h).squeeze(1)


def main():
    torch.manual_seed(17)
    random.seed(17)
    rig, memory, model = Rig(), ReplayMemory(room=110), FrameModel()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for it in range(300):
        memory.add(rig.record())
        frames, motors = memory.draw(3)
        dreamt, now = [], frames[:, 0]
        for k in range(3):
            now = model(now, motors[:, k])
            dreamt.append(now)
        miss = F.mse_loss(torch.stack(dreamt, 1), frames[:, 1:])
        opt.zero_grad()
        miss.backward()
        opt.step()
        if it % 60 == 0:
            print(f"{it:4d} clips {len(memory.clips):3d} miss {miss.item():.5f} psnr {-10 * math.log10(miss.item()):.2f} dB")


if __name__ == "__main__":
    main()
