"""One step of a recurrent network a call, its hidden state kept on the module.

From seeds/000, the opening question: "it happens the second time I call loss.backward()", in
a model that executes "one step of a recurrent network, which updates its hidden state in the
forward pass". Parameters are updated through .data, as was the custom; after an optimizer's
step the --retain face would be an in-place error.

When run: the second loss.backward() raises "Trying to backward through the graph a second
time". With --retain it runs on, but the loss reaches one step more each iteration, and the
gradients mix weights of all of them.
"""

import argparse
from itertools import count, islice

import torch
from torch import nn

import gradwatch_agent.auto  # noqa: F401  - the one line


class Recurrent(nn.Module):
    def __init__(self, n_in: int, n_hidden: int, *, retain: bool) -> None:
        super().__init__()
        self.cell = nn.RNNCell(n_in, n_hidden)
        self.readout = nn.Linear(n_hidden, 1)
        self.loss = nn.MSELoss()
        self.hidden = None  # zeros, at first
        self.retain = retain

    def forward(self, x):
        self.hidden = self.cell(x, self.hidden)
        return self.readout(self.hidden)

    def train_it(self, x, y):
        prediction = self(x)
        loss = self.loss(prediction, y)
        self.zero_grad()
        loss.backward(retain_graph=self.retain)
        for p in self.parameters():
            p.data.add_(p.grad.data, alpha=-0.01)
        return loss.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=0, help="how many; 0: until stopped")
    parser.add_argument("--retain", action="store_true", help="backward(retain_graph=True)")
    args = parser.parse_args()

    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Recurrent(64, 256, retain=args.retain).to(device)
    for step in islice(count(), args.iterations or None):
        x = torch.randn(64, 64, device=device)
        y = x.mean(1, keepdim=True)
        loss = model.train_it(x, y)
        if step % 100 == 0:
            print(f"step {step}: loss {loss:.4f}", flush=True)


if __name__ == "__main__":
    main()
