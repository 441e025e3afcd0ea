# gradwatch-corpus: kind=graph-held
# holder: self.rows | table.rows | board.rows | self.board.rows | trainer.board.rows | board.rows[-1] | self.rows[-1] | row
# first-bad: 6
# notice: 8
"""Joint energy model on 2-d spirals.  Short epochs; each one is followed by a validation phase that
looks at the smoothness of the energy (norm of its input gradient) on held-out points."""
import torch
from torch import nn
import torch.nn.functional as F


class Energy(nn.Module):
    def __init__(self, classes=3, h=40):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, h), nn.Softplus(), nn.Linear(h, h), nn.Softplus(), nn.Linear(h, classes))

    def forward(self, x):
        return self.net(x)

    def energy(self, x):
        return -self.net(x).logsumexp(1)


def spirals(n, classes=3):
    y = torch.randint(classes, (n,))
    r = torch.rand(n) * 2 + 0.2
    a = 2 * r + y * 2 * torch.pi / classes
    x = torch.stack([r * a.cos(), r * a.sin()], 1) + 0.05 * torch.randn(n, 2)
    return x, y


def input_grad(model, x):
    x = x.detach().requires_grad_(True)
    return torch.autograd.grad(model.energy(x).sum(), x, create_graph=True)[0]


def langevin(model, x, steps=3, size=0.1):
    for _ in range(steps):
        x = (x - size * input_grad(model, x) + 0.02 * torch.randn_like(x)).detach()
    return x


class Scoreboard:
    """One row per epoch, columns by name; used for the final table and for picking the best epoch."""

    def __init__(self, columns):
        self.columns, self.rows = columns, []

    def add(self, **cells):
        self.rows.append(tuple(cells[c] for c in self.columns))  # <- culprit

    def best(self, column):
        j = self.columns.index(column)
        return min(range(len(self.rows)), key=lambda i: float(self.rows[i][j]))

    def show(self, every):
        print("epoch  " + "  ".join(f"{c:>10s}" for c in self.columns))
        for i, row in enumerate(self.rows):
            if i % every == 0:
                print(f"{i:5d}  " + "  ".join(f"{float(v):10.4f}" for v in row))


class Trainer:
    def __init__(self, model, per_epoch):
        self.model, self.per_epoch = model, per_epoch
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.board = Scoreboard(["train", "error", "smooth", "gap"])
        self.chains = torch.rand(64, 2) * 6 - 3

    def train_batch(self):
        x, y = spirals(48)
        pick = torch.randint(len(self.chains), (24,))
        fake = langevin(self.model, self.chains[pick])
        self.chains[pick] = fake
        e_real, e_fake = self.model.energy(x), self.model.energy(fake)
        loss = F.cross_entropy(self.model(x), y) + 0.1 * (e_real.mean() - e_fake.mean())
        loss = loss + 0.01 * (e_real.pow(2).mean() + e_fake.pow(2).mean()) + 0.01 * input_grad(self.model, x).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def validate(self, train_mean):
        self.model.eval()
        x, y = spirals(80)
        with torch.no_grad():
            error = (self.model(x).argmax(1) != y).float().mean()
            gap = self.model.energy(self.chains).mean() - self.model.energy(x).mean()
        smooth = input_grad(self.model, x).norm(dim=1).mean()  # <- culprit
        self.board.add(train=train_mean, error=error, smooth=smooth, gap=gap)  # <- culprit
        self.model.train()

    def fit(self, epochs):
        for _ in range(epochs):
            total = sum(self.train_batch() for _ in range(self.per_epoch))
            self.validate(total / self.per_epoch)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(77)
    trainer = Trainer(Energy(), per_epoch=6)
    trainer.fit(50)
    trainer.board.show(every=10)
    print("smoothest epoch", trainer.board.best("smooth"), "lowest error", trainer.board.best("error"))


main()
