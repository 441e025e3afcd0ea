# gradwatch-corpus: kind=second-backward
# holder: state | state[1] | c
# first-bad: 1
# notice: 0
# Soft sensor for a batch reactor: jacket temperature + feed -> core temperature, LSTM over chunks of the run.
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(71)


def reactor(n):
    core, rows = 0.0, []
    for k in range(n):
        jacket = 0.5 if (k // 30) % 2 else -0.5
        feed = 1.0 if (k // 17) % 3 == 0 else 0.0
        core = core + 0.08 * (jacket - core) + 0.03 * feed
        rows.append((jacket, feed, core))
    return torch.tensor(rows)


class SoftSensor(nn.Module):
    def __init__(self, hidden=14):
        super().__init__()
        self.cell = nn.LSTMCell(2, hidden)
        self.out = nn.Linear(hidden, 1)

    def start(self):
        z = torch.zeros(1, self.cell.hidden_size)
        return z, z.clone()

    def forward(self, chunk, state):
        h, c = state
        ys = []
        for row in chunk:
            h, c = self.cell(row[None, :2], (h, c))
            ys.append(self.out(h))
        return torch.cat(ys).squeeze(1), (h, c)


def carry_over(state):
    h, c = state
    return h.detach(), c  # <- culprit


record = reactor(3000)
sensor = SoftSensor()
opt = torch.optim.Adam(sensor.parameters(), lr=4e-3)
state = sensor.start()
for j, chunk in enumerate(record.split(12)):
    pred, state = sensor(chunk, state)
    loss = nn.functional.mse_loss(pred, chunk[:, 2])
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(sensor.parameters(), 1.0)
    opt.step()
    state = carry_over(state)
    if j % 40 == 0:
        print(j, loss.item())
