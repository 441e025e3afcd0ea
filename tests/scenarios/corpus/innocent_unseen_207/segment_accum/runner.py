import torch
from torch import nn
import torch.nn.functional as F

from .taps import ActivationTaps


class UNetLite(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.down = nn.Conv2d(1, width, 3, stride=2, padding=1)
        self.mid = nn.Conv2d(width, width, 3, padding=1)
        self.up = nn.ConvTranspose2d(width, width, 2, stride=2)
        self.out = nn.Conv2d(width + 1, 1, 1)

    def forward(self, x):
        h = F.relu(self.down(x))
        h = h + F.relu(self.mid(h))
        return self.out(torch.cat([self.up(h), x], dim=1))


class Runner:
    def __init__(self, cfg):
        torch.manual_seed(cfg.seed)
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed)
        self.model = UNetLite(cfg.width)
        self.taps = ActivationTaps(self.model, cfg.aux_layers)
        self.optim = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.epoch_loss = 0.0
        self.history = {"loss": [], "dice": []}

    def blobs(self):
        c = torch.rand(self.cfg.batch, 2, 1, 1, generator=self.gen) * self.cfg.size
        axis = torch.arange(self.cfg.size).float()
        inside = (axis[:, None] - c[:, :1]).pow(2) + (axis - c[:, 1:]).pow(2) < 16
        mask = inside.float()
        return mask + 0.5 * torch.randn(mask.shape, generator=self.gen), mask

    def micro_step(self, index):
        image, mask = self.blobs()
        logits = self.model(image)
        flipped = self.model(image.flip(-1)).flip(-1)
        consistency = (logits - flipped).pow(2).mean()
        loss = F.binary_cross_entropy_with_logits(logits, mask) + 0.1 * consistency
        loss = loss + self.cfg.aux_weight * self.taps.penalty()
        (loss / self.cfg.accumulate).backward()
        if (index + 1) % self.cfg.accumulate == 0:
            self.optim.step()
            self.optim.zero_grad()
        self.taps.end_step()
        self.epoch_loss += loss.detach()
        overlap = ((logits > 0) * mask).sum() * 2 / ((logits > 0).sum() + mask.sum() + 1)
        self.history["dice"].append(overlap.item())

    def run(self):
        for index in range(self.cfg.steps):
            self.micro_step(index)
            if (index + 1) % 240 == 0:
                self.history["loss"].append(self.epoch_loss / 240)
                self.epoch_loss = 0.0
                print(index + 1, f"{self.history['loss'][-1]:.4f}", self.taps.report())
