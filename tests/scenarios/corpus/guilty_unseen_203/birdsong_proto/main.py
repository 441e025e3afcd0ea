# gradwatch-corpus: kind=graph-chain
# holder: self.centres | bank.centres
# first-bad: 1
"""Prototype classifier for bird calls; class centres follow the embedding."""
import torch
from torch import nn

from centres import CentreBank


def calls(classes, dim, seed):
    gen = torch.Generator().manual_seed(seed)
    mean = torch.randn(classes, dim, generator=gen)
    while True:
        y = torch.arange(classes).repeat(6)
        x = mean[y] + 0.9 * torch.randn(len(y), dim, generator=gen)
        yield x, y


class Embed(nn.Module):
    def __init__(self, dim, out):
        super().__init__()
        self.proj = nn.Linear(dim, out)

    def forward(self, x):
        return torch.tanh(self.proj(x))


def main(steps=400):
    torch.manual_seed(9)
    classes, dim, out = 5, 20, 12
    net = Embed(dim, out)
    bank = CentreBank(classes, out)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    stream = calls(classes, dim, 9)
    hits = []
    for step in range(steps):
        x, y = next(stream)
        z = net(x)
        bank.update(z, y)
        logits = bank.logits(z)
        loss = nn.functional.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        hits.append((logits.argmax(1) == y).float().mean().item())
        if step % 80 == 0:
            print(step, f"loss {loss.item():.3f} acc {sum(hits[-40:]) / len(hits[-40:]):.3f}")


if __name__ == "__main__":
    main()
