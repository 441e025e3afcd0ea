"""One step of a recurrent network a call, its hidden state detached when it is kept.

From seeds/000: the cure of rnn-hidden-state. The value of the state lives on, its history
does not; gradients reach one step back, no further.

When run: healthy, the same few nodes each iteration.
"""

import argparse
from itertools import count, islice

import torch
from torch import nn

import gradwatch_agent.auto  # noqa: F401  - the one line


class Recurrent(nn.Module):
    def __init__(self, n_in: int, n_hidden: int) -> None:
        super().__init__()
        self.cell = nn.RNNCell(n_in, n_hidden)
        self.readout = nn.Linear(n_hidden, 1)
        self.loss = nn.MSELoss()
        self.hidden = None  # zeros, at first

    def forward(self, x):
        hidden = self.cell(x, self.hidden)
        self.hidden = hidden.detach()  # the fix
        return self.readout(hidden)

    def train_it(self, x, y):
        prediction = self(x)
        loss = self.loss(prediction, y)
        self.zero_grad()
        loss.backward()
        for p in self.parameters():
            p.data.add_(p.grad.data, alpha=-0.01)
        return loss.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=0, help="how many; 0: until stopped")
    args = parser.parse_args()

    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Recurrent(64, 256).to(device)
    for step in islice(count(), args.iterations or None):
        x = torch.randn(64, 64, device=device)
        y = x.mean(1, keepdim=True)
        loss = model.train_it(x, y)
        if step % 100 == 0:
            print(f"step {step}: loss {loss:.4f}", flush=True)


if __name__ == "__main__":
    main()
