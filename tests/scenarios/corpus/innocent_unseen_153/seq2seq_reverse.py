# gradwatch-corpus: kind=none
"""Encoder/decoder with attention that learns to reverse a sequence. Teacher forcing decays."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(37)
random.seed(37)
VOCAB, SOS, LEN = 10, 0, 6


class Encoder(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, h)
        self.gru = nn.GRU(h, h, batch_first=True)

    def forward(self, x):
        return self.gru(self.emb(x))


class AttnDecoder(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, h)
        self.cell = nn.GRUCell(2 * h, h)
        self.out = nn.Linear(2 * h, VOCAB)

    def step(self, tok, h, memory):
        w = torch.softmax((memory @ h[:, :, None]).squeeze(2), 1)
        ctx = (w[:, None] @ memory).squeeze(1)
        h = self.cell(torch.cat([self.emb(tok), ctx], 1), h)
        return self.out(torch.cat([h, ctx], 1)), h, w


def forward(enc, dec, src, tgt, forcing):
    memory, h = enc(src)
    h = h[0]
    tok = torch.full((len(src),), SOS)
    loss, attention, guesses = 0, [], []
    for t in range(tgt.shape[1]):
        logits, h, w = dec.step(tok, h, memory)
        loss += F.cross_entropy(logits, tgt[:, t])
        attention.append(w)
        guess = logits.argmax(1)
        guesses.append(guess)
        tok = tgt[:, t] if random.random() < forcing else guess.detach()
    attn = torch.stack(attention, 1)
    sharp = -(attn * (attn + 1e-9).log()).sum(2).mean()
    return loss / tgt.shape[1] + 0.01 * sharp, torch.stack(guesses, 1)


enc, dec = Encoder(32), AttnDecoder(32)
params = [*enc.parameters(), *dec.parameters()]
opt = torch.optim.Adam(params, lr=5e-3)
print_every, print_loss = 25, 0
for it in range(1, 101):
    src = torch.randint(1, VOCAB, (32, LEN))
    tgt = src.flip(1)
    loss, out = forward(enc, dec, src, tgt, forcing=max(0.3, 1 - it / 120))
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(params, 1.0)
    opt.step()
    print_loss += loss.item()
    if it % print_every == 0:
        print(it, "loss %.3f" % (print_loss / print_every), "token acc %.2f" % (out == tgt).float().mean().item())
        print_loss = 0
with torch.no_grad():
    src = torch.randint(1, VOCAB, (4, LEN))
    print(src[0].tolist(), forward(enc, dec, src, src.flip(1), 0.0)[1][0].tolist())
