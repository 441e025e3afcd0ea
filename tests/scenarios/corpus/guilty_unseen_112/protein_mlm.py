# gradwatch-corpus: kind=crashed
# first-bad: 116
# notice: 0
"""Masked-residue pretraining of a very small transformer on artificial peptides."""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

AMINO = "ACDEFGHIKLMNPQRSTVWY"
PAD, MASK = 20, 21
VOCAB = 22


def peptide(rng):
    """Alternating runs of hydrophobic and charged residues, as in a small helix bundle."""
    hydrophobic, charged = "AILMFVWY", "DEKRHNQST"
    seq, pool = [], hydrophobic if rng.random() < 0.5 else charged
    while len(seq) < rng.randint(9, 14):
        for _ in range(rng.randint(2, 4)):
            seq.append(rng.choice(pool))
        pool = charged if pool is hydrophobic else hydrophobic
        if rng.random() < 0.15:
            seq.append(rng.choice("GPC"))
    return [AMINO.index(a) for a in seq[:14]]


def collate(seqs):
    width = max(map(len, seqs))
    return torch.tensor([s + [PAD] * (width - len(s)) for s in seqs])


def corrupt(tokens, rate):
    """Returns the masked input and the places that count."""
    chosen = (torch.rand(tokens.shape) < rate) & tokens.ne(PAD)
    noisy = tokens.clone()
    swap = chosen & (torch.rand(tokens.shape) < 0.1)
    noisy[chosen] = MASK
    noisy[swap] = torch.randint(20, tokens.shape)[swap]
    return noisy, chosen


class Peptider(nn.Module):
    def __init__(self, dim=32, heads=4, layers=1):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        pos = torch.arange(16)[:, None] * torch.exp(-torch.arange(0, dim, 2) * math.log(50.0) / dim)
        self.register_buffer("pos", torch.cat([pos.sin(), pos.cos()], dim=1))
        block = nn.TransformerEncoderLayer(dim, heads, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(block, layers, enable_nested_tensor=False)
        self.head = nn.Linear(dim, 20)

    def forward(self, tokens):
        h = self.tok(tokens) + self.pos[: tokens.size(1)]
        h = self.encoder(h, src_key_padding_mask=tokens.eq(PAD))
        return self.head(h)


def mlm_loss(logits, tokens, chosen):
    # the mean over an empty selection is nan, so batches without any masked residue count zero
    if not chosen.any():
        return torch.zeros(())  # <- culprit
    return F.cross_entropy(logits[chosen], tokens[chosen])


def main(seed=4, steps=400, batch=5, rate=0.08):
    torch.set_num_threads(1)
    rng = random.Random(seed)
    torch.manual_seed(seed)

    corpus = [peptide(rng) for _ in range(600)]
    model = Peptider()
    opt = torch.optim.AdamW(model.parameters(), lr=1.5e-3)
    warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 20))

    ema = math.log(20)
    for step in range(steps):
        tokens = collate(rng.sample(corpus, batch))
        noisy, chosen = corrupt(tokens, rate)
        loss = mlm_loss(model(noisy), tokens, chosen)
        opt.zero_grad()
        loss.backward()  # <- culprit
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        warm.step()
        ema = 0.97 * ema + 0.03 * loss.item()
        if step % 25 == 0:
            print(f"step {step:4d}  nll {ema:.3f}  perplexity {math.exp(ema):.1f}")


if __name__ == "__main__":
    main()
