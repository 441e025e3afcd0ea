# gradwatch-corpus: kind=graph-chain
# holder: taste.profile | self.profile
# first-bad: 1
# notice: 5
"""Next-item prediction for one long listening session with a fading taste profile."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(3)


class Taste(nn.Module):
    def __init__(self, tracks=30, dim=10, fade=0.9):
        super().__init__()
        self.heard = nn.EmbeddingBag(tracks, dim, mode="sum")
        self.rank = nn.Linear(dim, tracks)
        self.fade = fade
        self.profile = torch.zeros(1, dim)

    def listen(self, bag):
        self.profile = self.fade * self.profile + (1 - self.fade) * self.heard(bag)  # <- culprit
        return self.profile

    def forward(self, bag):
        return self.rank(self.listen(bag))


def session(n):
    here = torch.randint(0, 30, ())
    for _ in range(n):
        bag = (here + torch.randint(0, 3, (1, 4))) % 30
        here = (here + 1) % 30
        yield bag, here.view(1)


taste = Taste()
opt = torch.optim.SGD(taste.parameters(), lr=0.05)
for k, (bag, nxt) in enumerate(session(320)):
    loss = F.cross_entropy(taste(bag), nxt)
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    if k % 80 == 0:
        print(k, loss.item())
