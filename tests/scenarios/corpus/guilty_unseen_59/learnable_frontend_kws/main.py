# gradwatch-corpus: kind=inplace-modified
# holder: feats | x
# first-bad: 5
# notice: 0
"""Keyword spotting with a learnable filterbank and curriculum SpecAugment."""
import torch
import torch.nn.functional as F
from torch import nn

from augment import BandMask, Compose, GainJitter
from frontend import LearnableFilterbank

CONFIG = dict(classes=5, bins=65, filters=20, frames=28, batch=10, epochs=20,
              batches_per_epoch=5, max_width=6, lr=2e-3)


class Classifier(nn.Module):
    def __init__(self, filters, classes):
        super().__init__()
        self.rnn = nn.GRU(filters, 24, batch_first=True)
        self.out = nn.Linear(24, classes)

    def forward(self, feats):
        h, _ = self.rnn(feats)
        return self.out(h.mean(1))


class Experiment:
    def __init__(self, cfg):
        self.cfg = cfg
        self.frontend = LearnableFilterbank(cfg["bins"], cfg["filters"])
        self.classifier = Classifier(cfg["filters"], cfg["classes"])
        self.mask = BandMask(cfg["max_width"])
        self.augment = Compose([GainJitter(0.1), self.mask])
        modules = nn.ModuleList([self.frontend, self.classifier])
        self.opt = torch.optim.AdamW(modules.parameters(), lr=cfg["lr"])
        self.profile = torch.rand(cfg["classes"], cfg["bins"])

    def batches(self):
        c = self.cfg
        for _ in range(c["batches_per_epoch"]):
            y = torch.randint(c["classes"], (c["batch"],))
            power = self.profile[y][:, None, :] + 0.3 * torch.rand(c["batch"], c["frames"], c["bins"])
            yield power, y

    def train_batch(self, power, y):
        feats = self.frontend(power)
        logits = self.classifier(self.augment(feats))
        loss = F.cross_entropy(logits, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def run(self):
        for epoch in range(self.cfg["epochs"]):
            self.mask.set_epoch(epoch)
            losses = [self.train_batch(p, y) for p, y in self.batches()]
            print(f"epoch {epoch}: {sum(losses) / len(losses):.4f} (mask width {self.mask.width})")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(21)
    Experiment(CONFIG).run()
