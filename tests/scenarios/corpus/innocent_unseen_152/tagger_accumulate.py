# gradwatch-corpus: kind=none
"""Part-of-speech style tagger with micro-batches and a learning-rate schedule per update."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class TagConfig:
    vocab: int = 60
    tags: int = 5
    length: int = 10
    micro: int = 8
    accumulate: int = 4
    updates: int = 70
    dim: int = 16
    lr: float = 1e-2


class Tagger(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.embed = nn.Embedding(cfg.vocab, cfg.dim)
        self.mix = nn.Conv1d(cfg.dim, 2 * cfg.dim, 3, padding=1)
        self.head = nn.Linear(2 * cfg.dim, cfg.tags)

    def forward(self, words):
        h = torch.relu(self.mix(self.embed(words).transpose(1, 2))).transpose(1, 2)
        return self.head(h)


class Corpus:
    def __init__(self, cfg, seed=120):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.tag_of = torch.randint(0, cfg.tags, (cfg.vocab,), generator=self.gen)

    def micro_batches(self):
        while True:
            words = torch.randint(0, self.cfg.vocab, (self.cfg.micro, self.cfg.length), generator=self.gen)
            tags = self.tag_of[words]
            after_first = torch.roll(tags, 1, dims=1) == 0
            yield words, torch.where(after_first, (tags + 1) % self.cfg.tags, tags)


class AccumulatingTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = Tagger(cfg)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), cfg.lr)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda u: min(1.0, (u + 1) / 10))
        self.seen = 0
        self.running = 0.0
        self.history = []

    def feed(self, words, tags):
        loss = nn.functional.cross_entropy(self.model(words).flatten(0, 1), tags.flatten())
        (loss / self.cfg.accumulate).backward()
        self.running += loss.item() / self.cfg.accumulate
        self.seen += 1
        if self.seen % self.cfg.accumulate == 0:
            self.update()

    def update(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.schedule.step()
        self.optimizer.zero_grad(set_to_none=False)
        self.history.append(self.running)
        self.running = 0.0
        if len(self.history) % 14 == 0:
            print(f"update {len(self.history):3d}  ce {self.history[-1]:.4f}")


def main():
    torch.manual_seed(120)
    torch.set_num_threads(1)
    cfg = TagConfig()
    trainer = AccumulatingTrainer(cfg)
    for words, tags in Corpus(cfg).micro_batches():
        trainer.feed(words, tags)
        if len(trainer.history) >= cfg.updates:
            break


if __name__ == "__main__":
    main()
