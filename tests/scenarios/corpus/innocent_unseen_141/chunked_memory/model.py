import torch
from torch import nn


class GatedMemoryLM(nn.Module):
    def __init__(self, vocab, d):
        super().__init__()
        self.d = d
        self.emb = nn.Embedding(vocab, d)
        self.rnn = nn.LSTM(d, d, batch_first=True)
        self.write, self.erase = nn.Linear(d, d), nn.Linear(d, d)
        self.out = nn.Linear(2 * d, vocab)

    def blank(self, n):
        return torch.zeros(1, n, self.d), torch.zeros(1, n, self.d), torch.zeros(n, self.d)

    def forward(self, src, tgt, memory):
        h, c, slot = memory
        y, (h, c) = self.rnn(self.emb(src), (h, c))
        logits = self.out(torch.cat([y, slot.unsqueeze(1).expand_as(y)], -1))
        keep = torch.sigmoid(self.erase(y[:, -1]))
        slot = keep * slot + (1 - keep) * torch.tanh(self.write(y.mean(1)))
        return nn.functional.cross_entropy(logits.transpose(1, 2), tgt), (h, c, slot)
