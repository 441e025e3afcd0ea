# gradwatch-corpus: kind=second-backward
# holder: self.v | net.lif.v | self.lif.v | layer.v
# first-bad: 1
# about: the membrane potential is zeroed in place between batches, which keeps its history
import torch
from torch import nn


class LIF(nn.Module):
    """Leaky integrate-and-fire with a smooth spike."""

    def __init__(self, n, tau=0.8):
        super().__init__()
        self.tau = tau
        self.v = torch.zeros(1, n)

    def reset_states(self):
        self.v.zero_()  # <- culprit

    def forward(self, current):
        self.v = self.tau * self.v + current  # <- culprit
        spike = torch.sigmoid(5 * (self.v - 1))
        self.v = self.v - spike  # <- culprit
        return spike


class SpikingNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 20)
        self.lif = LIF(20)
        self.out = nn.Linear(20, 2)

    def forward(self, sequence):
        self.lif.reset_states()
        rate = sum(self.lif(self.fc(frame)) for frame in sequence) / len(sequence)
        return self.out(rate)


def main():
    torch.manual_seed(0)
    net = SpikingNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for _ in range(60):
        y = torch.randint(0, 2, (8,))
        sequence = torch.rand(5, 8, 6) + 0.5 * y[None, :, None]
        loss = nn.functional.cross_entropy(net(sequence), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
