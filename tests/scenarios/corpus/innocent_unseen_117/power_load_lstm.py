# gradwatch-corpus: kind=none

# household power load forecasting, stateful LSTM, truncated BPTT
# after reading ~10 threads about "backward through the graph a second time"
# I do: window of K=3 chunks, retain_graph inside of the window, cut the state after it.
import torch
import torch.nn as nn
import math

torch.set_num_threads(1)
torch.manual_seed(77)

T = 5000
t = torch.arange(T).float()
load = (0.6 + 0.3 * torch.sin(2 * math.pi * t / 24) + 0.15 * torch.sin(2 * math.pi * t / 168)
        + 0.05 * torch.randn(T))
for k in torch.randint(0, T - 5, (120,)).tolist():   # kettle
    load[k:k + 2] += 0.4
load = load - load.mean()


class Forecaster(nn.Module):
    def __init__(self, nh=24):
        super().__init__()
        self.lstm = nn.LSTM(1, nh, batch_first=True)
        self.fc = nn.Linear(nh, 1)
        self.state = None      # (h, c) kept between calls

    def forward(self, x):
        o, self.state = self.lstm(x, self.state)
        return self.fc(o)

    def cut(self):
        self.state = tuple(s.detach() for s in self.state)


net = Forecaster()
opt = torch.optim.Adam(net.parameters(), lr=0.006)
mse = nn.MSELoss()

K = 3
CH = 4
nstreams = 4
L = T // nstreams
streams = load[:L * nstreams].view(nstreams, L, 1)

all_losses = []
window_loss = 0        # tensor, summed over one window, for printing only
steps = 0
i = 0
parts = []
print_sum = 0
while steps < 320:
    if i + CH + 1 >= L:
        i = 0
        net.state = None
        parts = []
    xb = streams[:, i:i + CH]
    yb = streams[:, i + 1:i + CH + 1]
    i += CH
    pred = net(xb)
    loss = mse(pred, yb)
    parts.append(loss)
    if len(parts) < K:
        # gradient of this chunk now, rest of the window will go through it again
        (loss / K).backward(retain_graph=True)
        continue
    (loss / K).backward()
    window_loss = sum(parts) / K
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    opt.zero_grad()
    steps += 1
    net.cut()
    parts = []

    all_losses.append(window_loss.item())
    print_sum += window_loss.detach()
    if steps % 40 == 0:
        print('step %d mse %.4f' % (steps, print_sum / 40))
        print_sum = 0

# plot in the terminal
mx = max(all_losses)
for k in range(0, len(all_losses), 32):
    v = sum(all_losses[k:k + 32]) / 32
    print('%4d %s' % (k, '*' * int(v / mx * 60)))
