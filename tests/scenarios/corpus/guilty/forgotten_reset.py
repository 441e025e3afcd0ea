# gradwatch-corpus: kind=graph-chain
# holder: self.mem | net.second.mem | layer.mem | self.second.mem
# first-bad: 1
# also: retain-needless
"""Two leaky layers over a stream: the method that detaches is called for the first one alone."""

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
        self.mem = current if self.mem is None else self.beta * self.mem + current  # <- culprit
        return torch.sigmoid(self.mem - 1.0)


class Stream(nn.Module):
    def __init__(self, n_in, hidden, n_out):
        super().__init__()
        self.first = Leaky(n_in, hidden)
        self.second = Leaky(hidden, n_out)

    def forward(self, x):
        return self.second(self.first(x).detach())

    def next_window(self):
        self.first.detach_hidden()  # <- culprit


def main():
    torch.manual_seed(0)
    net = Stream(6, 12, 2)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for step in range(80):
        x = torch.randn(8, 6)
        loss = (net(x) - x[:, :2].sigmoid()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        net.next_window()
        if step % 20 == 0:
            print(f"window {step}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
