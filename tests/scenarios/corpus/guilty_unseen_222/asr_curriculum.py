# gradwatch-corpus: kind=graph-held
# holder: self.difficulty | sampler.difficulty
# first-bad: 1
"""CTC acoustic model whose sampler prefers utterances that are still hard."""
from __future__ import annotations

import random
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Utterance:
    uid: str
    feats: Tensor
    tokens: Tensor


class Corpus:
    def __init__(self, size: int, vocab: int, mels: int) -> None:
        proto = torch.randn(vocab, mels)
        self.items: dict[str, Utterance] = {}
        for i in range(size):
            tokens = torch.randint(1, vocab, (4,))
            feats = proto[tokens].repeat_interleave(5, dim=0) + 0.4 * torch.randn(20, mels)
            uid = f"utt-{i:05d}"
            self.items[uid] = Utterance(uid, feats, tokens)


class CurriculumSampler:
    def __init__(self, corpus: Corpus, batch: int, explore: float = 0.7) -> None:
        self.uids = sorted(corpus.items)
        self.batch = batch
        self.explore = explore
        self.difficulty: dict[str, Tensor] = {}

    def draw(self) -> list[str]:
        unseen = [u for u in self.uids if u not in self.difficulty]
        fresh = unseen[: int(self.batch * self.explore)]
        rest = self.batch - len(fresh)
        ranked = sorted(self.difficulty, key=lambda u: -float(self.difficulty[u]))[: 4 * rest]
        pool = ranked if len(ranked) >= rest else [u for u in self.uids if u not in fresh]
        return fresh + random.sample(pool, rest)

    def record(self, uids: list[str], losses: Tensor) -> None:
        self.difficulty.update(zip(uids, losses.unbind()))  # <- culprit


class AcousticModel(nn.Module):
    def __init__(self, mels: int, vocab: int, width: int = 32) -> None:
        super().__init__()
        self.front = nn.Conv1d(mels, width, 5, padding=2)
        self.rnn = nn.GRU(width, width, batch_first=True, bidirectional=True)
        self.proj = nn.Linear(2 * width, vocab)

    def forward(self, feats: Tensor) -> Tensor:
        h = torch.relu(self.front(feats.transpose(1, 2))).transpose(1, 2)
        h, _ = self.rnn(h)
        return self.proj(h).log_softmax(-1)


def collate(utts: list[Utterance]) -> tuple[Tensor, Tensor]:
    return torch.stack([u.feats for u in utts]), torch.stack([u.tokens for u in utts])


def main() -> None:
    torch.manual_seed(5)
    random.seed(5)
    corpus = Corpus(size=900, vocab=9, mels=14)
    sampler = CurriculumSampler(corpus, batch=10)
    model = AcousticModel(14, 9)
    ctc = nn.CTCLoss(reduction="none", zero_infinity=True)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for step in range(110):
        uids = sampler.draw()
        feats, tokens = collate([corpus.items[u] for u in uids])
        logp = model(feats)
        in_len = torch.full((len(uids),), logp.shape[1])
        out_len = torch.full((len(uids),), tokens.shape[1])
        per_utt = ctc(logp.transpose(0, 1), tokens, in_len, out_len)
        loss = per_utt.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sampler.record(uids, per_utt)  # <- culprit
        if step % 25 == 0:
            print(f"[{step:03d}] ctc {loss.item():.3f} seen {len(sampler.difficulty)}")


if __name__ == "__main__":
    main()
