# gradwatch-corpus: kind=memory-climb
# holder: self.frames | self.recorder.frames | trainer.recorder.frames
# first-bad: 1
# notice: 60
"""Super-resolution of 2-d velocity fields; reconstructions are recorded for a film of the training."""
import torch

torch.set_num_threads(1)
from torch import nn


class FrameRecorder:
    def __init__(self):
        self.frames = []

    def capture(self, field):
        self.frames.append(field.detach().clone())  # <- culprit

    def drift(self):
        if len(self.frames) < 2:
            return 0.0
        return (self.frames[-1] - self.frames[-2]).abs().mean().item()


class UpNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.lift = nn.Conv2d(2, c, 3, padding=1)
        self.up = nn.Sequential(nn.SiLU(), nn.Conv2d(c, 2 * 16, 3, padding=1), nn.PixelShuffle(4))

    def forward(self, coarse):
        base = nn.functional.interpolate(coarse, scale_factor=4, mode="bilinear", align_corners=False)
        return base + self.up(self.lift(coarse))


def vortices(n=8, side=48):
    g = torch.linspace(0, 6.2832, side)
    k = torch.randint(1, 5, (n, 1, 1)).float()
    ph = torch.rand(n, 1, 1) * 6.28
    u = torch.sin(k * g[None, :, None] + ph) * torch.cos(k * g[None, None, :])
    v = -torch.cos(k * g[None, :, None] + ph) * torch.sin(k * g[None, None, :])
    fine = torch.stack([u, v], 1)
    return nn.functional.avg_pool2d(fine, 4), fine


class Trainer:
    def __init__(self, net, recorder):
        self.net, self.recorder = net, recorder
        self.opt = torch.optim.Adam(net.parameters(), lr=3e-3)

    def step(self):
        coarse, fine = vortices()
        pred = self.net(coarse)
        loss = nn.functional.l1_loss(pred, fine)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.recorder.capture(pred)
        return loss.item()

    def fit(self, steps):
        for i in range(steps):
            value = self.step()
            if i % 100 == 0:
                print(f"{i:4d} l1 {value:.4f} drift {self.recorder.drift():.4f}")


torch.manual_seed(5)
trainer = Trainer(UpNet(), FrameRecorder())
trainer.fit(420)
