# gradwatch-corpus: kind=graph-held
# holder: stats.stats | learn.cbs[1].stats | self.cbs[1].stats | cb.stats | self.stats | store
# first-bad: 1
# notice: 8
# after: growingnet/gromo #135 "A .detach() is missing ... store_activity" / fastai #981 "Add detach option to hooks"
import torch
from torch import nn
from .callbacks import ActivationStats, LossPrinter
from .learner import Learner

torch.manual_seed(9)
V, T, D = 50, 16, 32


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, D)
        self.tok = nn.Linear(T, T)
        self.fc1 = nn.Linear(D, 2 * D)
        self.fc2 = nn.Linear(2 * D, D)
        self.norm = nn.LayerNorm(D)

    def forward(self, x):
        h = self.emb(x)
        mask = torch.tril(torch.ones(T, T))
        h = h + nn.functional.linear(h.mT, self.tok.weight * mask).mT
        h = h + self.fc2(torch.relu(self.fc1(h)))
        return self.norm(h) @ self.emb.weight.T


def batches(n):
    for _ in range(n):
        start = torch.randint(0, V, (16, 1))
        seq = (start + 3 * torch.arange(T + 1)) % V
        yield seq[:, :-1], seq[:, 1:]


model = Mixer()
stats = ActivationStats((nn.Linear, nn.LayerNorm))
learn = Learner(model, nn.CrossEntropyLoss(), torch.optim.Adam(model.parameters(), 3e-3), [LossPrinter(), stats])
learn.fit(batches(100))
