import torch
import torch.nn as nn


def repackage(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage(v) for v in h)


class CharGRU(nn.Module):
    def __init__(self, vocab, hid):
        super().__init__()
        self.emb = nn.Embedding(vocab, hid)
        self.cells = nn.ModuleList([nn.GRUCell(hid, hid), nn.GRUCell(hid, hid)])
        self.out = nn.Linear(hid, vocab)
        self.hid = hid

    def initial(self, rows):
        return tuple(torch.zeros(rows, self.hid) for _ in self.cells)

    def forward(self, x, hidden):
        h = list(hidden)
        outs = []
        for e in self.emb(x).unbind(1):
            for k, cell in enumerate(self.cells):
                h[k] = e = cell(e, h[k])
            outs.append(e)
        return self.out(torch.stack(outs, 1)), tuple(h)
