# gradwatch-corpus: kind=inplace-modified
# about: recurrent states are written into one preallocated tensor that earlier steps still need
import torch
from torch import nn


class LoopRNN(nn.Module):
    def __init__(self, n_in, n_hidden):
        super().__init__()
        self.i2h = nn.Linear(n_in, n_hidden)
        self.h2h = nn.Linear(n_hidden, n_hidden)

    def forward(self, x):
        steps, batch, _ = x.shape
        states = torch.zeros(steps + 1, batch, self.h2h.out_features)
        for t in range(steps):
            states[t + 1] = torch.tanh(self.i2h(x[t]) + self.h2h(states[t]))  # <- culprit
        return states[1:]


def main():
    torch.manual_seed(0)
    rnn, head = LoopRNN(4, 8), nn.Linear(8, 1)
    optimizer = torch.optim.Adam([*rnn.parameters(), *head.parameters()], lr=1e-3)
    for _ in range(60):
        x = torch.randn(6, 3, 4)
        loss = (head(rnn(x)[-1]) - x.sum(dim=(0, 2)).unsqueeze(1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
