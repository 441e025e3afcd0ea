# gradwatch-corpus: kind=none
"""Tide-gauge forecasting with truncated back-propagation through a long record."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(6)


class Tide(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.lstm = nn.LSTM(1, width, batch_first=True)
        self.level = nn.Linear(width, 1)

    def forward(self, x, memory):
        h, memory = self.lstm(x, memory)
        return x + self.level(h), memory


def gauge(total):
    t = torch.arange(total, dtype=torch.float32)
    phases = torch.rand(5, 1) * 6
    return (torch.sin(t * 0.5 + phases) + 0.3 * torch.sin(t * 0.23 + phases)).unsqueeze(-1)


record = gauge(12 * 600 + 1)
model = Tide()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
memory = None
for start in range(0, record.shape[1] - 1, 12):
    piece, nxt = record[:, start:start + 12], record[:, start + 1:start + 13]
    guess, memory = model(piece, memory)
    loss = nn.functional.mse_loss(guess, nxt)
    opt.zero_grad()
    loss.backward()
    opt.step()
    memory = tuple(m.detach() for m in memory)
    if start % 1200 == 0:
        print(start, loss.item())
