# gradwatch-corpus: kind=graph-held
# holder: self.difficulty | collate.difficulty | self.collate.difficulty | loader.collate_fn.difficulty
# first-bad: 1
import logging
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

log = logging.getLogger(__name__)
PAD = 0


@dataclass(frozen=True)
class Cfg:
    vocab: int = 60
    dim: int = 24
    pairs: int = 800
    batch: int = 20
    keep: float = 0.75
    epochs: int = 2
    lr: float = 3e-3


class ToyPairs(Dataset):
    def __init__(self, cfg):
        lengths = torch.randint(4, 12, (cfg.pairs,)).tolist()
        self.src = [torch.randint(1, cfg.vocab, (n,)) for n in lengths]
        self.tgt = [(s * 7 + 3) % (cfg.vocab - 1) + 1 for s in self.src]

    def __len__(self):
        return len(self.src)

    def __getitem__(self, i):
        return i, self.src[i], self.tgt[i]


class CurriculumCollate:
    """Pads a batch; from the second pass on leaves out the easiest sentences."""

    def __init__(self, keep):
        self.keep = keep
        self.difficulty = {}

    def report(self, ids, scores):
        for i, score in zip(ids, scores):  # <- culprit
            self.difficulty[i] = score  # <- culprit

    def __call__(self, items):
        known = [it for it in items if it[0] in self.difficulty]
        if len(known) == len(items):
            items = sorted(items, key=lambda it: -float(self.difficulty[it[0]]))
            items = items[: max(1, int(self.keep * len(items)))]
        ids, src, tgt = zip(*items)
        return (list(ids), pad_sequence(src, batch_first=True, padding_value=PAD),
                pad_sequence(tgt, batch_first=True, padding_value=PAD))


class Translator(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.emb = nn.Embedding(cfg.vocab, cfg.dim, padding_idx=PAD)
        self.enc = nn.TransformerEncoderLayer(cfg.dim, 2, 48, dropout=0.0, batch_first=True)
        self.out = nn.Linear(cfg.dim, cfg.vocab)

    def forward(self, src):
        return self.out(self.enc(self.emb(src), src_key_padding_mask=src.eq(PAD)))


def sentence_nll(logits, tgt):
    tok = nn.functional.cross_entropy(logits.transpose(1, 2), tgt, ignore_index=PAD, reduction="none")
    return tok.sum(1) / tgt.ne(PAD).sum(1)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.collate = CurriculumCollate(cfg.keep)
        self.loader = DataLoader(ToyPairs(cfg), cfg.batch, shuffle=True, collate_fn=self.collate)
        self.net = Translator(cfg)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=cfg.lr)

    def step(self, ids, src, tgt):
        nll = sentence_nll(self.net(src), tgt)
        self.opt.zero_grad()
        nll.mean().backward()
        self.opt.step()
        self.collate.report(ids, nll)  # <- culprit
        return nll.mean().item()

    def fit(self):
        for epoch in range(self.cfg.epochs):
            losses = [self.step(*batch) for batch in self.loader]
            log.info("epoch %d: %d batches, nll %.3f -> %.3f", epoch, len(losses), losses[0], losses[-1])


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.manual_seed(13)
    Trainer(Cfg()).fit()
