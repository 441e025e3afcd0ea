import torch
import torch.nn as nn


class CharGRU(nn.Module):
    def __init__(self, vocab, embed, hidden):
        super().__init__()
        self.hidden = hidden
        self.embed = nn.Embedding(vocab, embed)
        self.cell = nn.GRUCell(embed, hidden)
        self.out = nn.Linear(hidden, vocab)

    def initial(self, lanes):
        return torch.zeros(lanes, self.hidden)

    def forward(self, ids, h):
        outs = []
        for emb in self.embed(ids).unbind(1):
            h = self.cell(emb, h)
            outs.append(h)
        return self.out(torch.stack(outs, 1)), h
