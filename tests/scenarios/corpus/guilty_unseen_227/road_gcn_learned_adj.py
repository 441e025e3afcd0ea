# gradwatch-corpus: kind=second-backward
# holder: adj
# first-bad: 1
# %% Traffic speed forecasting with a learned road graph
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(40)
n_sensors, history, horizon = 20, 12, 3

# %% data
t = torch.arange(1200).float()
phase = torch.rand(n_sensors) * 6.28
speed = 50 + 15 * torch.sin(t[:, None] / 48 * 6.28 + phase) + torch.randn(1200, n_sensors)
speed = (speed - speed.mean()) / speed.std()


def windows(bs):
    start = torch.randint(0, 1200 - history - horizon, (bs,)).tolist()
    x = torch.stack([speed[s:s + history].t() for s in start])
    y = torch.stack([speed[s + history:s + history + horizon].t() for s in start])
    return x, y


# %% model
class GraphLearner(nn.Module):
    def __init__(self, n, d=8):
        super().__init__()
        self.e1 = nn.Parameter(torch.randn(n, d))
        self.e2 = nn.Parameter(torch.randn(n, d))

    def forward(self):
        return F.softmax(F.relu(self.e1 @ self.e2.t()), dim=1)


class GCN(nn.Module):
    def __init__(self, cin, hid, cout):
        super().__init__()
        self.w1 = nn.Linear(cin, hid)
        self.w2 = nn.Linear(hid, cout)

    def forward(self, x, a):
        h = F.relu(self.w1(a @ x))
        return self.w2(a @ h)


learner = GraphLearner(n_sensors)
gcn = GCN(history, 32, horizon)
opt = torch.optim.Adam([*learner.parameters(), *gcn.parameters()], lr=3e-3)

# %% adjacency with self loops
adj = learner()  # <- culprit
adj = 0.5 * adj + 0.5 * torch.eye(n_sensors)  # <- culprit

# %% training
for it in range(100):
    x, y = windows(16)
    pred = gcn(x, adj)  # <- culprit
    loss = F.l1_loss(pred, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 20 == 0:
        print(it, loss.item())
