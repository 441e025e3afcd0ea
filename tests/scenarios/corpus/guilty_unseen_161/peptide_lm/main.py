# gradwatch-corpus: kind=crashed
# first-bad: 64
"""Masked language model over peptides from a FASTA-like source."""
import random

import torch
from torch import nn

from vocab import MASK, PAD, SIZE, encode, read_records


class PeptideLM(nn.Module):
    def __init__(self, dim=32, max_len=32):
        super().__init__()
        self.tok = nn.Embedding(SIZE, dim, padding_idx=PAD)
        self.pos = nn.Parameter(0.02 * torch.randn(max_len, dim))
        layer = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.0, batch_first=True)
        self.enc = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.out = nn.Linear(dim, SIZE)

    def forward(self, ids):
        x = self.tok(ids) + self.pos[: ids.shape[1]]
        return self.out(self.enc(x, src_key_padding_mask=ids == PAD))


def collate(seqs):
    width = max(len(s) for s in seqs)
    ids = torch.full((len(seqs), width), PAD)
    for row, s in enumerate(seqs):
        ids[row, : len(s)] = torch.tensor(encode(s))  # <- culprit
    masked = (torch.rand(ids.shape) < 0.2) & (ids != PAD)
    masked[:, 0] = True
    return ids.masked_fill(masked, MASK), ids.masked_fill(~masked, -100)


def batches(records, size):
    bucket = []
    for seq in records:
        bucket.append(seq)
        if len(bucket) == size:
            yield collate(bucket)
            bucket = []


def main():
    torch.set_num_threads(1)
    torch.manual_seed(9)
    lm = PeptideLM()
    opt = torch.optim.AdamW(lm.parameters(), lr=2e-3)
    source = read_records(1000, random.Random(9))
    running = None
    for step, (inp, tgt) in enumerate(batches(source, 8)):
        logits = lm(inp)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), tgt.flatten(), ignore_index=-100)
        opt.zero_grad()
        loss.backward()
        opt.step()
        running = loss.item() if running is None else 0.9 * running + 0.1 * loss.item()
        if step % 20 == 0:
            print(f"step {step} nll {running:.3f}")


if __name__ == "__main__":
    main()
