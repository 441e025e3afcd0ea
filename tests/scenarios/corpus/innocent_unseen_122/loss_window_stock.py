# gradwatch-corpus: kind=none
# stock direction toy, prints stats on the last few batches
from collections import deque
import torch
torch.set_num_threads(1)
import torch.nn as nn

torch.manual_seed(17)


class TCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv1d(1, 8, 3, dilation=1)
        self.c2 = nn.Conv1d(8, 8, 3, dilation=2)
        self.c3 = nn.Conv1d(8, 8, 3, dilation=4)
        self.fc = nn.Linear(8, 1)

    def forward(self, x):
        for c in (self.c1, self.c2, self.c3):
            x = torch.relu(c(x))
        return self.fc(x[..., -1]).squeeze(-1)


def prices(n, length=24):
    mom = torch.randn(n, 1) * 0.4
    r = mom + torch.randn(n, length + 1)
    return r[:, None, :-1], (r[:, -1] + 2 * mom[:, 0] > 0).float()


net = TCN()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
lossf = nn.BCEWithLogitsLoss()
recent = deque(maxlen=10)

for batch in range(700):
    x, y = prices(16)
    loss = lossf(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    recent.append(loss)
    if batch % 140 == 139:
        vals = torch.stack(list(recent))
        print("batch %d  last10 mean %.3f std %.3f max %.3f" % (batch + 1, vals.mean(), vals.std(), vals.max()))
