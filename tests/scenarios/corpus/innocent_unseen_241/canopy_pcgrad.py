# gradwatch-corpus: kind=none
"""Forest canopy retrieval from lidar waveforms: height, leaf area and species in one net, with gradient surgery."""
import random
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class WaveformCampaign:
    def __init__(self, bins=40, seed=90):
        self.bins = bins
        self.rng = torch.Generator().manual_seed(seed)
        self.axis = torch.linspace(0, 1, bins)

    def footprint(self, n):
        species = torch.randint(0, 3, (n,), generator=self.rng)
        height = 0.2 + 0.7 * torch.rand(n, generator=self.rng)
        lai = 0.5 + 2 * torch.rand(n, generator=self.rng)
        skew = 0.03 + 0.03 * species[:, None]
        crown = lai[:, None] * torch.exp(-((self.axis - height[:, None]) ** 2) / skew)
        ground = torch.exp(-lai[:, None]) * torch.exp(-self.axis ** 2 / 0.002)
        wave = crown + ground + 0.05 * torch.randn(n, self.bins, generator=self.rng)
        return wave, {"height": height, "lai": lai, "species": species}


class CanopyNet(nn.Module):
    def __init__(self, bins):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(bins, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.heads = nn.ModuleDict({"height": nn.Linear(32, 1), "lai": nn.Linear(32, 1), "species": nn.Linear(32, 3)})

    def losses(self, wave, labels):
        z = self.trunk(wave)
        return {
            "height": F.mse_loss(self.heads["height"](z).squeeze(-1), labels["height"]),
            "lai": F.smooth_l1_loss(self.heads["lai"](z).squeeze(-1), labels["lai"]),
            "species": F.cross_entropy(self.heads["species"](z), labels["species"]),
        }


class SurgeryMixin:
    def shared_gradients(self, losses):
        shared = list(self.net.trunk.parameters())
        flat = {}
        for name, loss in losses.items():
            grads = torch.autograd.grad(loss, shared, retain_graph=True)
            flat[name] = torch.cat([g.flatten() for g in grads])
        return flat

    def reconcile(self, flat):
        names = list(flat)
        mended = []
        for name in names:
            g = flat[name].clone()
            others = [o for o in names if o != name]
            self.dice.shuffle(others)
            for other in others:
                dot = torch.dot(g, flat[other])
                if dot < 0:
                    g -= dot / flat[other].dot(flat[other]).clamp_min(1e-12) * flat[other]
                    self.clashes += 1
            mended.append(g)
        return torch.stack(mended).sum(0)

    def write_back(self, vector):
        offset = 0
        for p in self.net.trunk.parameters():
            p.grad = vector[offset:offset + p.numel()].view_as(p).clone()
            offset += p.numel()


class CanopyTrainer(SurgeryMixin):
    def __init__(self, bins):
        self.net = CanopyNet(bins)
        self.dice = random.Random(1)
        self.clashes = 0
        self.opt_trunk = torch.optim.Adam(self.net.trunk.parameters(), lr=2e-3)
        self.opt_heads = torch.optim.SGD(self.net.heads.parameters(), lr=0.02)
        self.flat_log = deque(maxlen=10)

    def step(self, wave, labels):
        losses = self.net.losses(wave, labels)
        flat = self.shared_gradients(losses)
        self.opt_heads.zero_grad()
        sum(losses.values()).backward(inputs=list(self.net.heads.parameters()))
        self.write_back(self.reconcile(flat))
        self.opt_trunk.step()
        self.opt_heads.step()
        self.flat_log.append(flat)
        return {k: v.item() for k, v in losses.items()}

    def agreement(self):
        pairs = [F.cosine_similarity(f["height"], f["lai"], dim=0) for f in self.flat_log]
        return torch.stack(pairs).mean().item()


if __name__ == "__main__":
    torch.manual_seed(90)
    campaign = WaveformCampaign()
    trainer = CanopyTrainer(campaign.bins)
    for i in range(140):
        row = trainer.step(*campaign.footprint(96))
        if i % 28 == 0:
            print(i, {k: round(v, 4) for k, v in row.items()}, "clashes", trainer.clashes, f"cos {trainer.agreement():.2f}")
