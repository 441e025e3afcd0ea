# gradwatch-corpus: kind=graph-held
# holder: self.outputs | self.outputs[name] | store | extractor.outputs | self.extractor.outputs | percep.extractor.outputs | self.percep.extractor.outputs
# first-bad: 1
# notice: 8
"""x2 super resolution of textures with pixel + perceptual loss."""
import argparse
import math

import torch
from torch import nn

from .perceptual import PerceptualLoss
from .textures import TextureStream


class ResBlock(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(ch, ch, 3, padding=1), nn.PReLU(), nn.Conv2d(ch, ch, 3, padding=1)
        )

    def forward(self, x):
        return x + 0.2 * self.body(x)


class SRNet(nn.Module):
    def __init__(self, ch=12, blocks=2):
        super().__init__()
        self.head = nn.Conv2d(1, ch, 3, padding=1)
        self.body = nn.Sequential(*[ResBlock(ch) for _ in range(blocks)])
        self.tail = nn.Sequential(nn.Conv2d(ch, 4, 3, padding=1), nn.PixelShuffle(2))
        self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False)

    def forward(self, x):
        return self.up(x) + self.tail(self.body(self.head(x)))


def psnr(a, b):
    mse = (a - b).pow(2).mean().item()
    return -10 * math.log10(max(mse, 1e-10))


class SRTrainer:
    def __init__(self, opt):
        self.net = SRNet()
        self.pixel = nn.L1Loss()
        self.percep = PerceptualLoss(weights={"relu1": 1.0, "relu2": 0.5})
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=opt.lr)
        self.stream = TextureStream(opt.batch)
        self.opt = opt

    def step(self):
        lo, hi = self.stream.next()
        sr = self.net(lo)
        l_pix = self.pixel(sr, hi)
        l_per = self.percep(sr, hi)
        loss = l_pix + self.opt.percep_weight * l_per
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return {"pix": l_pix.item(), "percep": l_per.item(), "psnr": psnr(sr.detach(), hi)}

    def run(self):
        for it in range(self.opt.iters):
            log = self.step()
            if it % 25 == 0:
                print(f"[{it:03d}] " + "  ".join(f"{k} {v:.4f}" for k, v in log.items()))


parser = argparse.ArgumentParser()
parser.add_argument("--iters", type=int, default=120)
parser.add_argument("--batch", type=int, default=4)
parser.add_argument("--lr", type=float, default=1e-3)
parser.add_argument("--percep-weight", type=float, default=0.1)

if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(11)
    SRTrainer(parser.parse_args()).run()
