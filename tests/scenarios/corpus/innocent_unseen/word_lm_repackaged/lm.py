import torch
from torch import nn


def repackage_hidden(h):
    """Wraps hidden states in new Tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class LM(nn.Module):
    def __init__(self, ntok, ninp, nhid):
        super().__init__()
        self.enc = nn.Embedding(ntok, ninp)
        self.rnns = nn.ModuleList([nn.GRU(ninp, nhid), nn.GRU(nhid, nhid)])
        self.dec = nn.Linear(nhid, ntok)
        self.nhid = nhid

    def forward(self, x, hidden):
        x, new = self.enc(x), []
        for rnn, h in zip(self.rnns, hidden):
            x, h = rnn(x, h)
            new.append(h)
        return self.dec(x), tuple(new), x

    def init_hidden(self, bsz):
        w = next(self.parameters())
        return tuple(w.new_zeros(1, bsz, self.nhid) for _ in self.rnns)
