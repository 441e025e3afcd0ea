# gradwatch-corpus: kind=second-backward
# holder: bank.proto | self.proto
# first-bad: 1
# notice: 0
import torch
from torch import nn, optim

torch.set_num_threads(1)
torch.manual_seed(55)

STAINS = 3
MARKERS = 10


class PrototypeBank:
    """One centre per tissue class, moved slowly towards the embeddings seen."""

    def __init__(self, classes, dim, rate=0.1):
        self.proto = torch.randn(classes, dim)
        self.rate = rate

    def move(self, emb, label):
        onehot = nn.functional.one_hot(label, self.proto.shape[0]).float()
        size = onehot.sum(0).clamp(min=1).unsqueeze(1)
        centre = onehot.t() @ emb / size
        seen = (onehot.sum(0) > 0).float().unsqueeze(1)
        self.proto = self.proto + self.rate * seen * (centre - self.proto)  # <- culprit

    def logits(self, emb):
        return -torch.cdist(emb, self.proto)


def tiles(n=16):
    label = torch.randint(0, STAINS, (n,))
    means = torch.linspace(-1, 1, STAINS)[label].unsqueeze(1)
    return means + 0.5 * torch.randn(n, MARKERS), label


embed = nn.Sequential(nn.Linear(MARKERS, 16), nn.GELU(), nn.Linear(16, 5))
bank = PrototypeBank(STAINS, 5)
opt = optim.SGD(embed.parameters(), lr=0.05)

for it in range(250):
    x, y = tiles()
    e = embed(x)
    ce = nn.functional.cross_entropy(bank.logits(e), y)
    opt.zero_grad()
    ce.backward()
    opt.step()
    bank.move(e, y)  # <- culprit
    if it % 25 == 0:
        print(it, ce.item())
