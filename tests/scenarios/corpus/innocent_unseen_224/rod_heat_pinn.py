# gradwatch-corpus: kind=none
# physics informed net for the heat equation in a metal rod  u_t = k u_xx
import math
import torch
import torch.nn as nn

torch.manual_seed(0)

k = 0.1
net = nn.Sequential(
    nn.Linear(2, 32),
    nn.Tanh(),
    nn.Linear(32, 32),
    nn.Tanh(),
    nn.Linear(32, 1),
)
opt = torch.optim.Adam(net.parameters(), lr=0.003)

# the weight of each term follows its size
w_pde = 1.0
w_start = 1.0
w_edge = 1.0

# bad points are used again in the next round
old_points = torch.rand(32, 2)

log = {"pde": [], "start": [], "edge": []}


def derivative(out, inp):
    return torch.autograd.grad(out, inp, torch.ones_like(out), create_graph=True)[0]


for it in range(160):
    points = torch.cat([torch.rand(96, 2), old_points])
    points.requires_grad_(True)
    u = net(points)
    du = derivative(u, points)
    u_x = du[:, 0:1]
    u_t = du[:, 1:2]
    u_xx = derivative(u_x, points)[:, 0:1]
    resid = u_t - k * u_xx
    pde = (resid ** 2).mean()

    x0 = torch.rand(64, 1)
    start_pred = net(torch.cat([x0, torch.zeros_like(x0)], dim=1))
    start = ((start_pred - torch.sin(math.pi * x0)) ** 2).mean()

    t0 = torch.rand(64, 1)
    side = torch.randint(0, 2, (64, 1)).float()
    edge = (net(torch.cat([side, t0], dim=1)) ** 2).mean()

    loss = w_pde * pde + w_start * start + w_edge * edge
    opt.zero_grad()
    loss.backward()
    opt.step()

    with torch.no_grad():
        worst = resid.abs().squeeze(1).topk(32).indices
        old_points = points[worst]

    log["pde"].append(pde.item())
    log["start"].append(start.item())
    log["edge"].append(edge.item())

    if it % 20 == 19:
        total = pde.item() + start.item() + edge.item()
        w_pde = 0.5 * w_pde + 0.5 * (1 + pde.item() / total)
        w_start = 0.5 * w_start + 0.5 * (1 + start.item() / total)
        w_edge = 0.5 * w_edge + 0.5 * (1 + edge.item() / total)
        print(it + 1, pde.item(), start.item(), edge.item())

x = torch.tensor([[0.5, 0.5]])
exact = math.exp(-k * math.pi ** 2 * 0.5)
print("middle of the rod:", net(x).item(), "should be", exact)
