import torch
import torch.nn as nn


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp=24, nhid=32):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid = nhid

    def forward(self, tokens, state):
        out, state = self.rnn(self.encoder(tokens), state)
        return self.decoder(out), state

    def init_state(self, bsz):
        return (torch.zeros(1, bsz, self.nhid), torch.zeros(1, bsz, self.nhid))


def repackage(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage(v) for v in h)


def markov_text(n, ntoken, seed):
    g = torch.Generator().manual_seed(seed)
    trans = torch.softmax(2.5 * torch.randn(ntoken, ntoken, generator=g), 1)
    seq = [0]
    for _ in range(n - 1):
        seq.append(int(torch.multinomial(trans[seq[-1]], 1, generator=g)))
    return torch.tensor(seq)


def batchify(data, bsz):
    nb = len(data) // bsz
    return data[:nb * bsz].view(bsz, nb).t().contiguous()
