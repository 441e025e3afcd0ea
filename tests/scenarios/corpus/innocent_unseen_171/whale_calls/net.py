import torch
import torch.nn as nn


class CallNet(nn.Module):
    def __init__(self, bins, n_species, width=32):
        super().__init__()
        self.inp = nn.Linear(bins, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.score = nn.Linear(width, 1)
        self.out = nn.Linear(width, n_species)

    def forward(self, spec):
        h, _ = self.rnn(torch.relu(self.inp(spec.transpose(1, 2))))
        w = torch.softmax(self.score(h), dim=1)
        return self.out((w * h).sum(1))
