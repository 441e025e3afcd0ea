import random

import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.GRU(emb, hid, batch_first=True)

    def forward(self, src):
        return self.rnn(self.emb(src))


class AttnDecoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.cell = nn.GRUCell(emb + hid, hid)
        self.out = nn.Linear(2 * hid, vocab)

    def forward(self, tok, h, memory):
        w = torch.softmax((memory @ h.unsqueeze(-1)).squeeze(-1), -1)
        ctx = (w.unsqueeze(1) @ memory).squeeze(1)
        h = self.cell(torch.cat([self.emb(tok), ctx], -1), h)
        return self.out(torch.cat([h, ctx], -1)), h


class Seq2Seq(nn.Module):
    def __init__(self, vocab, emb=16, hid=32, sos=0):
        super().__init__()
        self.encoder = Encoder(vocab, emb, hid)
        self.decoder = AttnDecoder(vocab, emb, hid)
        self.sos = sos

    def forward(self, src, tgt, teacher_forcing=1.0):
        memory, h = self.encoder(src)
        h = h[0]
        tok = torch.full((src.size(0),), self.sos, dtype=torch.long)
        outputs = []
        for t in range(tgt.size(1)):
            logits, h = self.decoder(tok, h, memory)
            outputs.append(logits)
            tok = tgt[:, t] if random.random() < teacher_forcing else logits.argmax(-1)
        return torch.stack(outputs, 1)
