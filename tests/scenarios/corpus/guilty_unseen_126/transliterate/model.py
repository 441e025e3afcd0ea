import torch
from torch import nn


class Seq2Seq(nn.Module):
    def __init__(self, vocab, h):
        super().__init__()
        self.emb = nn.Embedding(vocab, h)
        self.enc = nn.GRU(h, h, batch_first=True)
        self.dec = nn.GRUCell(h, h)
        self.out = nn.Linear(h, vocab)

    def start(self, src):
        _, h = self.enc(self.emb(src))
        return h[0], torch.zeros(src.size(0), dtype=torch.long)

    def forward(self, src, tgt):
        h, tok = self.start(src)
        steps = []
        for t in range(tgt.size(1)):
            h = self.dec(self.emb(tok), h)
            steps.append(self.out(h))
            tok = tgt[:, t]
        return torch.stack(steps, 1)

    @torch.no_grad()  # <- culprit
    def generate(self, src, length):
        h, tok = self.start(src)
        steps = []
        for _ in range(length):
            h = self.dec(self.emb(tok), h)
            steps.append(self.out(h))
            tok = steps[-1].argmax(1)
        return torch.stack(steps, 1)
