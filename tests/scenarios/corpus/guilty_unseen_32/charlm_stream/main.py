# gradwatch-corpus: kind=graph-chain
# holder: self.carry | runner.carry | self.runner.carry | carry
# first-bad: 1
"""Character model over a continuous stream of text."""
from dataclasses import dataclass

import torch

from lmkit import AdaLite, CharGRU, StreamBatcher, StreamRunner

TEXT = ("the quick brown fox jumps over the lazy dog while seven wizards "
        "box a jovial sphinx of black quartz in the hazy evening light. ")


@dataclass
class Config:
    lanes: int = 8
    window: int = 8
    embed: int = 16
    hidden: int = 32
    lr: float = 5e-3
    updates: int = 80
    report_every: int = 20


def encode(text):
    vocab = sorted(set(text))
    index = {c: i for i, c in enumerate(vocab)}
    return torch.tensor([index[c] for c in text]), vocab


def main(cfg: Config):
    torch.manual_seed(3)
    ids, vocab = encode(TEXT * 60)
    batcher = StreamBatcher(ids, cfg.lanes, cfg.window)
    model = CharGRU(len(vocab), cfg.embed, cfg.hidden)
    optim = AdaLite(model.parameters(), lr=cfg.lr)
    runner = StreamRunner(model, optim, cfg.lanes)

    recent = []
    for update, (x, y) in zip(range(cfg.updates), batcher):
        recent.append(runner.step(x, y))
        if (update + 1) % cfg.report_every == 0:
            bpc = sum(recent) / len(recent) / 0.6931
            print(f"update {update + 1:4d}  bits/char {bpc:.3f}")
            recent.clear()


if __name__ == "__main__":
    main(Config())
