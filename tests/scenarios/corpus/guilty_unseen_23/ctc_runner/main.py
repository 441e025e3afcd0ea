# gradwatch-corpus: kind=graph-held
# holder: self.problems | guard.problems | runner.guard.problems | self.guard.problems | exc.__traceback__ | exc
# first-bad: 3
# notice: 20
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

from quality import QualityGuard, check_confidence


@dataclass
class CTCConfig:
    steps: int = 150
    batch: int = 8
    frames: int = 60
    mels: int = 32
    hidden: int = 64
    vocab: int = 20
    lr: float = 1e-3
    fallback_weight: float = 0.3


class AcousticModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.sub = nn.Conv1d(cfg.mels, cfg.hidden, 3, stride=2, padding=1)
        self.rnn = nn.GRU(cfg.hidden, cfg.hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * cfg.hidden, cfg.vocab)

    def forward(self, x):
        h = F.gelu(self.sub(x)).transpose(1, 2)
        h, _ = self.rnn(h)
        return self.out(h).log_softmax(-1)


class FakeUtterances:
    def __init__(self, cfg):
        self.cfg = cfg
        self.g = torch.Generator().manual_seed(0)
        self.voice = torch.randn(cfg.vocab, cfg.mels, generator=self.g)

    def batch(self, i):
        c = self.cfg
        text = torch.randint(1, c.vocab, (c.batch, 10), generator=self.g)
        spec = self.voice[text].repeat_interleave(c.frames // 10, dim=1).transpose(1, 2)
        level = 0.05 if i % 4 == 2 else 1.0   # some shards were recorded far from the microphone
        noise = torch.randn(spec.shape, generator=self.g)
        return level * spec + 0.4 * noise, text, level


class Runner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = AcousticModel(cfg)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.guard = QualityGuard()

    def ctc(self, logp, text):
        t_len = torch.full((logp.size(0),), logp.size(1), dtype=torch.long)
        s_len = torch.full((text.size(0),), text.size(1), dtype=torch.long)
        return F.ctc_loss(logp.transpose(0, 1), text, t_len, s_len, zero_infinity=True)

    def weight_for(self, logp, level):
        with self.guard.watching():
            check_confidence(logp, level)
            return 1.0
        return self.cfg.fallback_weight

    def train_step(self, i, source):
        spec, text, level = source.batch(i)
        logp = self.model(spec)
        loss = self.ctc(logp, text) * self.weight_for(logp, level)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def run(self):
        source = FakeUtterances(self.cfg)
        seen = []
        for i in range(self.cfg.steps):
            seen.append(self.train_step(i, source))
            if (i + 1) % 25 == 0:
                print(f"step {i + 1}: ctc {sum(seen) / len(seen):.3f}, odd batches {self.guard.count}")
                seen.clear()
        print(self.guard.report())


if __name__ == "__main__":
    torch.manual_seed(7)
    runner = Runner(CTCConfig())
    runner.run()
