# gradwatch-corpus: kind=graph-held
# holder: self.priority | sampler.priority | self.sampler.priority
# first-bad: 1
"""Translation with hard-example sampling: pairs the model still gets wrong are drawn more often.
Config lives in CONFIG, as our launcher wants it."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch
import torch.nn.functional as F
from torch import nn

from corpus import BOS, PAD, ParallelCorpus
from sampling import build_sampler

CONFIG = dict(
    steps=260,
    d_model=32,
    lr=3e-3,
    log_every=52,
    sampler=dict(kind="hard", batch_size=24, seed=17, alpha=0.7),
)


class TinySeq2Seq(nn.Module):
    def __init__(self, vocab, d):
        super().__init__()
        self.src_emb = nn.Embedding(vocab, d, padding_idx=PAD)
        self.tgt_emb = nn.Embedding(vocab, d, padding_idx=PAD)
        self.pos = nn.Parameter(torch.randn(16, d) * 0.1)
        self.enc = nn.Linear(d, d)
        self.q = nn.Linear(d, d)
        self.out = nn.Sequential(nn.Linear(2 * d, 2 * d), nn.ReLU(), nn.Linear(2 * d, vocab))

    def forward(self, src, tgt_in):
        n = src.shape[1]
        mem = torch.tanh(self.enc(self.src_emb(src) + self.pos[:n]))
        q = self.q(self.tgt_emb(tgt_in) + self.pos[:n])
        att = (q @ mem.transpose(1, 2)) / mem.shape[-1] ** 0.5
        att = att.masked_fill((src == PAD).unsqueeze(1), -1e9).softmax(-1)
        return self.out(torch.cat([att @ mem, q], dim=-1))


def sentence_nll(logits, tgt):
    nll = F.cross_entropy(logits.flatten(0, 1), tgt.flatten(), ignore_index=PAD, reduction="none").view_as(tgt)
    mask = (tgt != PAD).float()
    return nll.sum(1) / mask.sum(1)


def shift_right(tgt):
    return torch.cat([torch.full_like(tgt[:, :1], BOS), tgt[:, :-1]], dim=1)


def main(cfg=CONFIG):
    torch.manual_seed(6)
    corpus = ParallelCorpus()
    sampler = build_sampler(n_pairs=len(corpus), **cfg["sampler"])
    model = TinySeq2Seq(corpus.vocab, cfg["d_model"])
    optim = torch.optim.Adam(model.parameters(), lr=cfg["lr"], betas=(0.9, 0.98))

    for step in range(1, cfg["steps"] + 1):
        idx = sampler.draw()
        src, tgt = corpus.gather(idx)
        per_sentence = sentence_nll(model(src, shift_right(tgt)), tgt)
        loss = per_sentence.mean()

        optim.zero_grad()
        loss.backward()
        optim.step()
        sampler.feedback(idx, per_sentence)  # <- culprit

        if step % cfg["log_every"] == 0:
            print(f"step {step}: nll/token {loss.item():.3f}, hardest pairs {sampler.hardest(3)}")


if __name__ == "__main__":
    main()
