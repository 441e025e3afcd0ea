# gradwatch-corpus: kind=graph-held
# holder: self.best | board.best | trainer.board.best
# first-bad: 1
import logging
from dataclasses import dataclass
from typing import Dict, List

import torch
from torch import nn


@dataclass(slots=True)
class Utterance:
    uid: str
    frames: torch.Tensor
    tokens: torch.Tensor


class UttAdapter(logging.LoggerAdapter):
    def process(self, msg, kwargs):
        return f"[{self.extra['stage']}] {msg}", kwargs


def corpus(count: int, batch: int) -> List[List[Utterance]]:
    codebook = torch.randn(12, 16)
    batches = []
    for b in range(count):
        row = []
        for i in range(batch):
            tokens = torch.randint(1, 12, (5,))
            frames = codebook[tokens].repeat_interleave(4, dim=0)
            frames = frames + 0.3 * torch.randn_like(frames)
            row.append(Utterance(f"utt-{b:03d}-{i}", frames, tokens))
        batches.append(row)
    return batches


class Acoustic(nn.Module):
    def __init__(self, feats=16, hidden=32, vocab=12):
        super().__init__()
        self.rnn = nn.GRU(feats, hidden, batch_first=True, bidirectional=True)
        self.proj = nn.Linear(2 * hidden, vocab)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.proj(out).log_softmax(-1)


class ConfidenceBoard:
    """Per-utterance confidence, used for the report after training."""

    def __init__(self):
        self.best: Dict[str, torch.Tensor] = {}

    def update(self, utts: List[Utterance], log_probs: torch.Tensor) -> None:
        peak = log_probs.max(dim=-1).values.mean(dim=-1)  # <- culprit
        for utt, score in zip(utts, peak):
            old = self.best.get(utt.uid)
            if old is None or score > old:
                self.best[utt.uid] = score  # <- culprit

    def worst(self, k: int):
        ranked = sorted(self.best.items(), key=lambda kv: float(kv[1].detach()))
        return [(uid, round(s.item(), 3)) for uid, s in ranked[:k]]


class CTCTrainer:
    def __init__(self, model: nn.Module):
        self.model = model
        self.criterion = nn.CTCLoss(blank=0, zero_infinity=True)
        self.opt = torch.optim.Adam(model.parameters(), lr=4e-3)
        self.board = ConfidenceBoard()
        self.log = UttAdapter(logging.getLogger("ctc"), {"stage": "train"})

    def run(self, batches):
        for i, utts in enumerate(batches):
            x = torch.stack([u.frames for u in utts])
            y = torch.stack([u.tokens for u in utts])
            log_probs = self.model(x)
            in_len = torch.full((len(utts),), x.shape[1])
            out_len = torch.full((len(utts),), y.shape[1])
            loss = self.criterion(log_probs.transpose(0, 1), y, in_len, out_len)
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
            self.opt.step()
            self.board.update(utts, log_probs)
            if i % 20 == 0:
                self.log.info("batch %d ctc %.3f", i, loss.item())


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(314)
    trainer = CTCTrainer(Acoustic())
    trainer.run(corpus(100, 6))
    trainer.log.info("least sure: %s", trainer.board.worst(3))


if __name__ == "__main__":
    main()
