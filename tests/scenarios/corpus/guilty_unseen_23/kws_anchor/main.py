# gradwatch-corpus: kind=graph-chain
# holder: trainer.plugins[0].anchors | self.anchors[name] | plugin.anchors[name] | trainer.plugins[0].anchors[name] | self.anchors
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F

from config import RunConfig
from plugins import build_plugins


class DepthwiseBlock(nn.Module):
    def __init__(self, cin, cout, k=5):
        super().__init__()
        self.dw = nn.Conv1d(cin, cin, k, padding=k // 2, groups=cin)
        self.pw = nn.Conv1d(cin, cout, 1)
        self.norm = nn.GroupNorm(4, cout)

    def forward(self, x):
        return F.silu(self.norm(self.pw(self.dw(x))))


class KeywordNet(nn.Module):
    def __init__(self, n_mels, width, n_words):
        super().__init__()
        self.blocks = nn.Sequential(
            DepthwiseBlock(n_mels, width), DepthwiseBlock(width, width), DepthwiseBlock(width, width))
        self.head = nn.Linear(width, n_words)

    def forward(self, mels):
        return self.head(self.blocks(mels).mean(-1))


class ToneWords:
    """Every word is a ridge of energy at its own mel band, with noise on top."""

    def __init__(self, cfg: RunConfig):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed)
        self.patterns = torch.randn(cfg.n_words, cfg.n_mels, 1, generator=self.gen)

    def __iter__(self):
        for _ in range(self.cfg.steps):
            y = torch.randint(self.cfg.n_words, (self.cfg.batch,), generator=self.gen)
            noise = torch.randn(self.cfg.batch, self.cfg.n_mels, self.cfg.frames, generator=self.gen)
            yield self.patterns[y] + 1.5 * noise, y


class Trainer:
    def __init__(self, cfg: RunConfig):
        torch.manual_seed(cfg.seed)
        self.cfg = cfg
        self.model = KeywordNet(cfg.n_mels, cfg.width, cfg.n_words)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.plugins = build_plugins(cfg.plugins, self)
        self.step = 0

    def compute_loss(self, mels, y):
        logits = self.model(mels)
        loss = F.cross_entropy(logits, y, label_smoothing=0.05)
        for p in self.plugins:
            extra = p.extra_loss(self.model)
            if extra is not None:
                loss = loss + extra
        return loss, logits

    def fit(self, data):
        for mels, y in data:
            loss, logits = self.compute_loss(mels, y)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            acc = (logits.argmax(-1) == y).float().mean().item()
            for p in self.plugins:
                p.on_step_end(self.step, loss.item(), acc)
            self.step += 1


if __name__ == "__main__":
    cfg = RunConfig()
    trainer = Trainer(cfg)
    trainer.fit(ToneWords(cfg))
    for p in trainer.plugins:
        print(p.summary())
