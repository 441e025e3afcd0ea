# gradwatch-corpus: kind=none
# about: a cell that ponders until it halts: lists of states and of halting chances grow within
# about: an iteration and are made anew in the next
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class PonderNet(nn.Module):
    def __init__(self, dim=16, hidden=24, k=4, most=30):
        super().__init__()
        self.cell = nn.GRUCell(dim, hidden)
        self.halt = nn.Linear(hidden, 1)
        self.head = nn.Linear(hidden, k)
        self.most = most
        self.trace = []

    def forward(self, x):
        self.trace = []
        h = x.new_zeros(len(x), self.cell.hidden_size)
        left = x.new_ones(len(x))
        chances, outputs = [], []
        for n in range(1, self.most + 1):
            h = self.cell(x, h)
            lam = torch.sigmoid(self.halt(h)).squeeze(-1)
            p = left if n == self.most else left * lam
            chances.append(p)
            outputs.append(self.head(h))
            self.trace.append(h)
            left = left * (1 - lam)
            if bool((left < 0.05).all()) and n > torch.randint(1, 8, ()).item():
                break
        return torch.stack(chances), torch.stack(outputs)


def main():
    torch.manual_seed(0)
    data = batches(*classes(), size=16)
    net = PonderNet()
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3)
    criterion = nn.CrossEntropyLoss(reduction="none")
    for step in range(ITERATIONS):
        x, y = next(data)
        p, out = net(x)
        each = torch.stack([criterion(o, y) for o in out])
        steps = torch.arange(1, len(p) + 1).unsqueeze(1)
        loss = (p * each).sum(0).mean() + 0.01 * (p * steps).sum(0).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if step % 60 == 0:
            print(f"{step}: pondered {len(p)}, loss {loss.item():.6f}")


if __name__ == "__main__":
    main()
