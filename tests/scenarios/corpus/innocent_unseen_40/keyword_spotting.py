# gradwatch-corpus: kind=none
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class KwsConfig:
    n_words: int = 6
    n_mels: int = 12
    frames: int = 30
    batch: int = 24
    steps: int = 120
    lr: float = 3e-3
    ema_decay: float = 0.95
    consistency: float = 0.5
    eval_every: int = 30


class Averager:
    """Shadow copy of the weights and a running centre of the logits."""

    def __init__(self, net, decay):
        self.net = net
        self.decay = decay
        self.shadow = {k: p.detach().clone() for k, p in net.named_parameters()}
        self.centre = None

    @torch.no_grad()
    def update(self):
        for k, p in self.net.named_parameters():
            self.shadow[k].mul_(self.decay).add_(p, alpha=1 - self.decay)

    @torch.no_grad()
    def track_logits(self, logits):
        m = logits.mean(0)
        self.centre = m if self.centre is None else self.decay * self.centre + (1 - self.decay) * m
        return self.centre

    @contextmanager
    def swapped_in(self):
        backup = {k: p.detach().clone() for k, p in self.net.named_parameters()}
        self._load(self.shadow)
        try:
            yield self.net
        finally:
            self._load(backup)

    @torch.no_grad()
    def _load(self, weights):
        for k, p in self.net.named_parameters():
            p.copy_(weights[k])


class KwsNet(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.front = nn.Conv1d(c.n_mels, 24, 5, padding=2)
        self.depth = nn.Conv1d(24, 24, 3, groups=24, padding=1)
        self.cls = nn.Linear(24, c.n_words)

    def forward(self, mel):
        h = F.relu(self.front(mel))
        return self.cls((h + F.relu(self.depth(h))).mean(-1))


class Session:
    def __init__(self, c):
        self.c = c
        self.net = KwsNet(c)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=c.lr)
        self.avg = Averager(self.net, c.ema_decay)
        self.templates = torch.randn(c.n_words, c.n_mels, c.frames)

    def batch(self):
        y = torch.randint(0, self.c.n_words, (self.c.batch,))
        return self.templates[y] + 1.5 * torch.randn(self.c.batch, self.c.n_mels, self.c.frames), y

    def teacher(self, mel):
        with torch.no_grad(), self.avg.swapped_in() as net:
            return net(mel)

    def step(self):
        mel, y = self.batch()
        target = self.teacher(mel)
        logits = self.net(mel + 0.3 * torch.randn_like(mel))
        centred = logits - self.avg.track_logits(logits)
        loss = F.cross_entropy(logits, y) + self.c.consistency * F.mse_loss(centred, target - target.mean(0))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.avg.update()
        return loss

    @torch.no_grad()
    def evaluate(self):
        mel, y = self.batch()
        with self.avg.swapped_in() as net:
            return (net(mel).argmax(1) == y).float().mean().item()

    def run(self):
        total = 0.0
        for i in range(1, self.c.steps + 1):
            total += self.step().item()
            if i % self.c.eval_every == 0:
                print(f"step {i}: mean loss {total / i:.3f}, averaged-weights accuracy {self.evaluate():.2f}")


if __name__ == "__main__":
    torch.manual_seed(14)
    Session(KwsConfig()).run()
