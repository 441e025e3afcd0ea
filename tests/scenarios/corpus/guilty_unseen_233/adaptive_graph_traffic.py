# gradwatch-corpus: kind=second-backward
# holder: supports
# first-bad: 1
# Graph-WaveNet style self-adaptive adjacency for traffic speeds (toy)
import torch
import torch.nn as nn
import torch.nn.functional as F

num_nodes = 12
T_in = 8
torch.manual_seed(2024)


class DiffusionConv(nn.Module):
    def __init__(self, c_in, c_out, order=2):
        super().__init__()
        self.order = order
        self.mlp = nn.Linear(c_in * (order + 1), c_out)

    def forward(self, x, A):
        out = [x]
        xk = x
        for _ in range(self.order):
            xk = torch.einsum("bnc,nm->bmc", xk, A)
            out.append(xk)
        return self.mlp(torch.cat(out, dim=-1))


class AdaptiveGraph(nn.Module):
    def __init__(self, n, d=6):
        super().__init__()
        self.E1 = nn.Parameter(torch.randn(n, d))
        self.E2 = nn.Parameter(torch.randn(n, d))

    def forward(self):
        return F.softmax(F.relu(self.E1 @ self.E2.t()), dim=1)


class GWNet(nn.Module):
    def __init__(self, n, t_in, hid=16):
        super().__init__()
        self.adj = AdaptiveGraph(n)
        self.inp = nn.Linear(t_in, hid)
        self.g1 = DiffusionConv(hid, hid)
        self.g2 = DiffusionConv(hid, hid)
        self.out = nn.Linear(hid, 1)

    def forward(self, x, supports):
        h = F.relu(self.inp(x))
        h = h + F.relu(self.g1(h, supports))
        h = h + F.relu(self.g2(h, supports))
        return self.out(h).squeeze(-1)


def simulate(T, n):
    W = torch.softmax(3 * torch.randn(n, n), dim=1)
    x = torch.randn(n)
    xs = []
    for t in range(T):
        drive = torch.sin(torch.tensor(t / 10.0))
        x = 0.9 * (W @ x) + 0.3 * drive + 0.1 * torch.randn(n)
        xs.append(x)
    return torch.stack(xs)


def get_batch(data, bs):
    i = torch.randint(0, data.size(0) - T_in - 1, (bs,))
    x = torch.stack([data[j:j + T_in].t() for j in i.tolist()])
    y = torch.stack([data[j + T_in] for j in i.tolist()])
    return x, y


def masked_mae(pred, y, null=0.0):
    mask = (y != null).float()
    return ((pred - y).abs() * mask).sum() / mask.sum()


data = simulate(600, num_nodes)
model = GWNet(num_nodes, T_in)
optimizer = torch.optim.Adam(model.parameters(), lr=0.002, weight_decay=1e-4)

supports = None
for it in range(120):
    model.train()
    if it % 10 == 0:
        supports = model.adj()  # <- culprit
    x, y = get_batch(data, 32)
    pred = model(x, supports)  # <- culprit
    loss = masked_mae(pred, y)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 5)
    optimizer.step()
    if it % 20 == 0:
        print("Iter: {:03d}, Train MAE: {:.4f}".format(it, loss.item()))
