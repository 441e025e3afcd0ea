# gradwatch-corpus: kind=graph-unused
# first-bad: 1
# pressure regression from a few channels, 1d conv net, one notebook
import copy
import torch
import torch.nn as nn

torch.manual_seed(512)


def simulate(n, length=20):
    r = torch.randint(1, 4, (n, 1)).float()
    c = torch.randint(1, 4, (n, 1)).float()
    u_in = torch.rand(n, length).cumsum(1) / 5
    vol = u_in.cumsum(1) / length
    pressure = r * u_in + vol / c + 0.05 * torch.randn(n, length)
    feats = torch.stack([r.expand_as(u_in), c.expand_as(u_in), u_in, vol], 1)
    return feats, pressure


train_X, train_y = simulate(640)
valid_X, valid_y = simulate(96)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv1d(4, 12, 3, padding=1)
        self.res1 = nn.Conv1d(12, 12, 3, padding=1)
        self.res2 = nn.Conv1d(12, 12, 3, padding=1)
        self.head = nn.Conv1d(12, 1, 1)

    def forward(self, x):
        x = torch.relu(self.stem(x))
        x = x + torch.relu(self.res1(x))
        x = x + torch.relu(self.res2(x))
        return self.head(x).squeeze(1)


def mae(p, t):
    return (p - t).abs().mean()


net = Net()
criterion = nn.L1Loss()
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
best_mae = float("inf")
best_state = None
train_log, valid_log = [], []
bs = 32
num_steps = 440

for step in range(num_steps):
    net.train()
    idx = torch.randint(0, len(train_X), (bs,))
    optimizer.zero_grad()
    out = net(train_X[idx])
    loss = criterion(out, train_y[idx])
    loss.backward()
    optimizer.step()
    train_log.append(loss.item())

    net.eval()
    valid_pred = net(valid_X)  # <- culprit
    valid_mae = mae(valid_pred, valid_y)
    valid_log.append(valid_mae.item())
    if valid_log[-1] < best_mae - 0.01:
        best_mae = valid_log[-1]
        best_state = copy.deepcopy(net.state_dict())

    if step % 55 == 54:
        print("step %d  train %.4f  valid %.4f  best %.4f"
              % (step + 1, sum(train_log[-55:]) / 55, valid_log[-1], best_mae))

net.load_state_dict(best_state)
print("best", best_mae)
