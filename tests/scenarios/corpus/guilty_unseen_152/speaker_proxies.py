# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Speaker embeddings trained with a proxy-based margin criterion."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class SpeakerConfig:
    speakers: int = 20
    mels: int = 24
    frames: int = 16
    dim: int = 16
    batch: int = 32
    iterations: int = 120
    lr: float = 0.05
    margin: float = 0.2
    temperature: float = 8.0


class Embedder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.conv = nn.Conv1d(cfg.mels, 32, 5, padding=2)
        self.project = nn.Linear(64, cfg.dim)

    def forward(self, mel):
        h = torch.relu(self.conv(mel))
        return F.normalize(self.project(torch.cat([h.mean(-1), h.std(-1)], -1)), dim=-1)


class ProxyMargin(nn.Module):
    """Cosine logits against one learned proxy per speaker."""

    def __init__(self, cfg):
        super().__init__()
        self.proxies = nn.Parameter(torch.randn(cfg.speakers, cfg.dim))
        self.bias = nn.Parameter(torch.zeros(cfg.speakers))
        self.margin = cfg.margin
        self.temperature = cfg.temperature

    def forward(self, embedding, speaker):
        cosine = embedding @ F.normalize(self.proxies, dim=-1).T
        shifted = cosine - self.margin * F.one_hot(speaker, cosine.shape[1])
        return F.cross_entropy(self.temperature * shifted + self.bias, speaker)


class Voices:
    def __init__(self, cfg, seed=14):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.timbre = torch.randn(cfg.speakers, cfg.mels, 1, generator=self.gen)

    def batch(self):
        who = torch.randint(0, self.cfg.speakers, (self.cfg.batch,), generator=self.gen)
        noise = torch.randn(self.cfg.batch, self.cfg.mels, self.cfg.frames, generator=self.gen)
        return self.timbre[who] + 0.8 * noise, who


class SpeakerTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = Embedder(cfg)
        self.criterion = ProxyMargin(cfg)
        self.optimizer = torch.optim.SGD(
            [*self.model.parameters(), *self.criterion.parameters()], lr=cfg.lr, momentum=0.8
        )

    def step(self, mel, who):
        self.model.zero_grad(set_to_none=True)  # <- culprit
        loss = self.criterion(self.model(mel), who)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self, mel, who):
        proxies = F.normalize(self.criterion.proxies, dim=-1)
        return ((self.model(mel) @ proxies.T).argmax(1) == who).float().mean().item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(14)
    config = SpeakerConfig()
    voices = Voices(config)
    trainer = SpeakerTrainer(config)
    for it in range(config.iterations):
        value = trainer.step(*voices.batch())
        if it % 30 == 29:
            print(f"{it + 1:3d}  loss {value:.4f}  acc {trainer.accuracy(*voices.batch()):.2f}")
