import torch
from torch import nn


def make_source(fcfg, alphabet):
    phones = torch.randn(alphabet, fcfg["n_mels"])

    def draw(batch):
        lab_len = torch.randint(2, fcfg["max_labels"] + 1, (batch,))
        labels = torch.randint(1, alphabet, (batch, fcfg["max_labels"]))
        feats = 0.4 * torch.randn(batch, fcfg["frames"], fcfg["n_mels"])
        for b in range(batch):
            span = fcfg["frames"] // int(lab_len[b])
            for k in range(int(lab_len[b])):
                feats[b, k * span:(k + 1) * span - 1] += phones[labels[b, k]]
        in_len = torch.full((batch,), fcfg["frames"])
        return feats, labels, in_len, lab_len

    return draw


class BiGRUEncoder(nn.Module):
    def __init__(self, n_in, hidden, layers, alphabet):
        super().__init__()
        self.rnn = nn.GRU(n_in, hidden, layers, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, alphabet)

    def forward(self, x):
        return self.out(self.rnn(x)[0])


def make_encoder(ecfg, n_in):
    kinds = {"bigru": BiGRUEncoder}
    ecfg = dict(ecfg)
    return kinds[ecfg.pop("kind")](n_in, **ecfg)
