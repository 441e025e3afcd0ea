# gradwatch-corpus: kind=none
import math
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from corpus import chunks, markov_text
from model import CharLSTM


@dataclass
class Config:
    vocab: int = 16
    batch: int = 8
    bptt: int = 8
    epochs: int = 6
    length: int = 6000


def main() -> None:
    cfg = Config()
    torch.manual_seed(1)
    text = markov_text(cfg.length, cfg.vocab, seed=2)
    model = CharLSTM(cfg.vocab)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    recent: deque[torch.Tensor] = deque(maxlen=25)
    history: list[float] = []
    for epoch in range(cfg.epochs):
        model.state = None
        for x, y in chunks(text, cfg.batch, cfg.bptt):
            model.begin_chunk()
            loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            recent.append(loss)
            history.append(loss.item())
        smoothed = torch.stack(tuple(recent)).mean().item()
        print(f"epoch {epoch} chunks {len(history)} ppl {math.exp(smoothed):.2f}")


if __name__ == "__main__":
    main()
