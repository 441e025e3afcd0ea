# gradwatch-corpus: kind=none
"""Online learning over windows of eighteen steps, weights stepped by hand; both layers are cut."""

import torch
from torch import nn


class Leaky(nn.Module):
    def __init__(self, n_in, n_out, beta=0.9):
        super().__init__()
        self.fc = nn.Linear(n_in, n_out)
        self.beta, self.mem = beta, None

    def detach_hidden(self):
        self.mem = self.mem.detach()

    def forward(self, x):
        current = self.fc(x)
        self.mem = current if self.mem is None else self.beta * self.mem + current
        return torch.sigmoid(self.mem - 1.0)


class Stream(nn.Module):
    def __init__(self, n_in, hidden, n_out):
        super().__init__()
        self.first = Leaky(n_in, hidden)
        self.second = Leaky(hidden, n_out)

    def forward(self, x):
        return self.second(self.first(x))

    def cut(self):
        self.first.detach_hidden()
        self.second.detach_hidden()


def main(window=18, rate=0.05):
    torch.manual_seed(0)
    net = Stream(6, 12, 2)
    for step in range(200):
        x = torch.randn(8, 6)
        loss = (net(x) - x[:, :2].sigmoid()).pow(2).mean()
        net.zero_grad()
        loss.backward(retain_graph=True)
        for weight in net.parameters():
            weight.data -= rate * weight.grad
        if step % window == window - 1:
            net.cut()
        if step % 50 == 0:
            print(f"step {step}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
