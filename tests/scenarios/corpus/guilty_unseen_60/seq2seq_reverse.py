# gradwatch-corpus: kind=inplace-modified
# holder: weights
# first-bad: 20
# notice: 0
"""Seq2seq with Luong attention that learns to reverse a string of tokens.

Follows the translation tutorial, with padded batches and a length curriculum: the
first epoch has full-length sequences only, then shorter ones come in.
"""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(11)
random.seed(11)

PAD, SOS, FIRST = 0, 1, 2
VOCAB, MAX_LEN, BATCH = 14, 9, 16
STEPS_PER_EPOCH = 20


def make_batch(min_len):
    """Padded source and its reversal, both (batch, MAX_LEN)."""
    src = torch.full((BATCH, MAX_LEN), PAD)
    tgt = torch.full((BATCH, MAX_LEN), PAD)
    for b in range(BATCH):
        n = random.randint(min_len, MAX_LEN)
        seq = torch.randint(FIRST, VOCAB, (n,))
        src[b, :n] = seq
        tgt[b, :n] = seq.flip(0)
    return src, tgt


class Encoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.gru = nn.GRU(dim, dim, batch_first=True)

    def forward(self, src):
        return self.gru(self.embed(src))


class LuongAttention(nn.Module):
    """General score; padded positions of the source get no weight."""

    def __init__(self, dim):
        super().__init__()
        self.proj = nn.Linear(dim, dim, bias=False)

    def forward(self, query, memory, pad_mask):
        scores = torch.bmm(self.proj(query), memory.transpose(1, 2))
        weights = F.softmax(scores, dim=-1)
        if pad_mask.any():
            weights[pad_mask.unsqueeze(1).expand_as(weights)] = 0.0  # <- culprit
            weights = weights / weights.sum(-1, keepdim=True)
        return torch.bmm(weights, memory)


class Decoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.gru = nn.GRU(dim, dim, batch_first=True)
        self.attention = LuongAttention(dim)
        self.combine = nn.Linear(2 * dim, dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, tokens, hidden, memory, pad_mask):
        y, hidden = self.gru(self.embed(tokens), hidden)
        context = self.attention(y, memory, pad_mask)
        y = torch.tanh(self.combine(torch.cat([y, context], dim=-1)))
        return self.out(y), hidden


class Seq2Seq(nn.Module):
    def __init__(self, vocab=VOCAB, dim=32):
        super().__init__()
        self.encoder = Encoder(vocab, dim)
        self.decoder = Decoder(vocab, dim)

    def forward(self, src, tgt):
        memory, hidden = self.encoder(src)
        sos = torch.full((src.size(0), 1), SOS)
        teacher = torch.cat([sos, tgt[:, :-1]], dim=1)
        logits, _ = self.decoder(teacher, hidden, memory, src == PAD)
        return logits


def train(model, epochs=6):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.CrossEntropyLoss(ignore_index=PAD)
    for epoch in range(epochs):
        min_len = max(3, MAX_LEN - 2 * epoch)
        running = 0.0
        for _ in range(STEPS_PER_EPOCH):
            src, tgt = make_batch(min_len)
            logits = model(src, tgt)
            loss = criterion(logits.reshape(-1, VOCAB), tgt.reshape(-1))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            running += loss.item()
        print(f"epoch {epoch}: min_len {min_len} loss {running / STEPS_PER_EPOCH:.4f}")


if __name__ == "__main__":
    train(Seq2Seq())
