# gradwatch-corpus: kind=inplace-modified
# holder: h | hidden
# first-bad: 2
# about: retain_graph=True against the first error leads to the next: Adam has changed old weights
import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, n_in=3, n_hidden=12):
        super().__init__()
        self.gru = nn.GRUCell(n_in, n_hidden)
        self.out = nn.Linear(n_hidden, n_in)

    def forward(self, x, h):
        h = self.gru(x, h)
        return self.out(h), h


def stream(n, batch=4):
    t = torch.arange(n + 1).float()
    wave = torch.stack([torch.sin(0.3 * t), torch.cos(0.2 * t), torch.sin(0.1 * t)], dim=1)
    for a, b in zip(wave[:-1], wave[1:]):
        yield a.expand(batch, 3), b.expand(batch, 3)


def train(model, epochs=1):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(epochs):
        h = torch.zeros(4, 12)
        for x, y in stream(60):
            pred, h = model(x, h)  # <- culprit
            loss = nn.functional.mse_loss(pred, y)
            optimizer.zero_grad()
            loss.backward(retain_graph=True)
            optimizer.step()


if __name__ == "__main__":
    torch.manual_seed(0)
    train(Cell())
