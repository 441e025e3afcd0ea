# gradwatch-corpus: kind=none
# about: a pair of attributes (now, before) is swapped each frame; the older flow still has its graph alive but is cut where it enters the consistency term
"""Self-supervised optical flow on drifting textures; successive flow fields are asked to agree."""
import argparse
import torch
from torch import nn
import torch.nn.functional as F


class Drift:
    def __init__(self, side, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.side = side
        base = torch.rand(1, 1, side * 2, side * 2, generator=self.g)
        self.tex = F.avg_pool2d(base, 5, 1, 2)
        self.at = torch.zeros(2)
        self.vel = torch.tensor([0.8, -0.5])

    def frame(self):
        self.vel = 0.98 * self.vel + 0.05 * torch.randn(2, generator=self.g)
        self.at = self.at + self.vel
        lin = torch.linspace(-0.5, 0.5, self.side)
        yy, xx = torch.meshgrid(lin, lin, indexing="ij")
        grid = torch.stack([xx + torch.sin(self.at[0] / 20) * 0.4, yy + torch.sin(self.at[1] / 20) * 0.4], -1)[None]
        return F.grid_sample(self.tex, grid, align_corners=True)


class FlowNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1, self.c2, self.c3 = nn.Conv2d(2, 12, 5, padding=2), nn.Conv2d(12, 12, 5, padding=2), nn.Conv2d(12, 2, 3, padding=1)

    def forward(self, a, b):
        z = F.leaky_relu(self.c1(torch.cat([a, b], 1)), 0.1)
        return 0.1 * self.c3(F.leaky_relu(self.c2(z), 0.1))


def warp(img, flow):
    n = img.shape[-1]
    lin = torch.linspace(-1, 1, n)
    yy, xx = torch.meshgrid(lin, lin, indexing="ij")
    return F.grid_sample(img, torch.stack([xx, yy], -1)[None] + flow.permute(0, 2, 3, 1), align_corners=True, padding_mode="border")


class Tracker:
    """Keeps the flow of this frame and of the one before, for the display and for the agreement term."""
    now = before = None

    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=1e-3)

    def turn(self, flow):
        self.before, self.now = self.now, flow

    def agreement(self):
        if self.before is None:
            return self.now.new_zeros(())
        anchor = self.before
        if anchor.requires_grad:
            anchor = anchor.data
        return (self.now - warp(anchor, anchor)).abs().mean()

    def learn(self, a, b):
        self.turn(self.net(a, b))
        photo = (warp(b, self.now) - a).abs().mean()
        smooth = self.now.diff(dim=-1).abs().mean() + self.now.diff(dim=-2).abs().mean()
        loss = photo + 0.1 * smooth + 0.05 * self.agreement()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return photo.item()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--frames", type=int, default=310)
    n = p.parse_args().frames
    torch.manual_seed(7)
    cam, trk = Drift(28, 7), Tracker(FlowNet())
    last, errs = cam.frame(), []
    for k in range(n):
        cur = cam.frame()
        errs.append(trk.learn(last, cur))
        last = cur
        if k % 62 == 61:
            print(f"frame {k + 1} photometric {sum(errs[-62:]) / 62:.5f} mean flow {trk.now.detach().mean((0, 2, 3)).tolist()}")
