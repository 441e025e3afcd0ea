import torch
from torch import nn


class Recogniser(nn.Module):
    def __init__(self, bands, vocab, hidden=48):
        super().__init__()
        self.front = nn.Linear(bands, hidden)
        self.rnn = nn.GRU(hidden, hidden)
        self.head = nn.Linear(hidden, vocab + 1)

    def forward(self, feats, memory=None):
        # feats: (time, batch, bands)
        y, memory = self.rnn(torch.relu(self.front(feats)), memory)
        return self.head(y).log_softmax(-1), memory


def greedy(logp):
    best = logp.argmax(-1).T.tolist()
    hyps = []
    for path in best:
        merged = [p for i, p in enumerate(path) if i == 0 or p != path[i - 1]]
        hyps.append([p for p in merged if p != 0])
    return hyps


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        prev, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            prev, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, prev + (x != y))
    return row[-1]
