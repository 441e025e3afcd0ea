# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
"""Wine tasting scores as ordinal classes, with a colour head that shares the trunk."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(38)


class Cellar:
    def __init__(self, n=320):
        self.x = torch.randn(n, 9)
        s = self.x[:, 0] + 0.5 * self.x[:, 1] ** 2
        self.grade = torch.bucketize(s, torch.tensor([-0.5, 0.4, 1.3]))
        self.red = (self.x[:, 2] > 0).float()

    def __iter__(self):
        for i in torch.randperm(len(self.x)).split(32):
            yield self.x[i], self.grade[i], self.red[i]


class Sommelier(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(9, 20), nn.Mish())
        self.score = nn.Linear(20, 1)
        self.cuts = nn.Parameter(torch.tensor([-1.0, 0.0, 1.0]))
        self.colour = nn.Linear(20, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.score(h) - self.cuts, self.colour(h).squeeze(1)


def ordinal(logits, grade):
    above = (grade[:, None] > torch.arange(3)).float()
    return nn.functional.binary_cross_entropy_with_logits(logits, above)


cellar, net = Cellar(), Sommelier()
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
for epoch in range(30):
    tot = 0.0
    for x, grade, red in cellar:
        opt.zero_grad()
        lg, lc = net(x)
        loss = ordinal(lg, grade) + 0.3 * nn.functional.binary_cross_entropy_with_logits(lc, red)
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        tot += loss.item()
    if epoch % 6 == 0:
        print(epoch, f"{tot / 10:.4f}")
