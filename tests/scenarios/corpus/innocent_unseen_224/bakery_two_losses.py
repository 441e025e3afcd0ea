# gradwatch-corpus: kind=none
# bakery: how many rolls are sold, and does it sell out?
import torch
import torch.nn as nn

torch.manual_seed(33)

trunk = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
amount = nn.Linear(32, 1)
soldout = nn.Linear(32, 1)

opt_trunk = torch.optim.Adam(trunk.parameters(), lr=0.003)
opt_amount = torch.optim.Adam(amount.parameters(), lr=0.003)
opt_soldout = torch.optim.Adam(soldout.parameters(), lr=0.003)

mse = nn.MSELoss()
bce = nn.BCEWithLogitsLoss()

amount_total = 0
soldout_total = 0
ratios = []

for day in range(150):
    x = torch.randn(40, 6)
    demand = 1.5 * x[:, 0] - x[:, 1] + 0.5 * x[:, 2] * x[:, 3]
    demand = demand.unsqueeze(1) + 0.1 * torch.randn(40, 1)
    gone = (demand > 1.0).float()

    features = trunk(x)
    loss_amount = mse(amount(features), demand)
    loss_soldout = bce(soldout(features), gone)

    opt_trunk.zero_grad()
    opt_amount.zero_grad()
    opt_soldout.zero_grad()

    # the two tasks have different scales, so look at both gradients first
    loss_amount.backward(retain_graph=True)
    size_amount = 0
    for p in trunk.parameters():
        size_amount += p.grad.abs().sum().item()

    loss_soldout.backward()
    size_both = 0
    for p in trunk.parameters():
        size_both += p.grad.abs().sum().item()

    opt_trunk.step()
    opt_amount.step()
    opt_soldout.step()

    amount_total += loss_amount.item()
    soldout_total += loss_soldout.detach()
    ratios.append(size_amount / size_both)

    if (day + 1) % 50 == 0:
        print("day", day + 1)
        print("  amount", amount_total / 50)
        print("  soldout", float(soldout_total) / 50)
        print("  ratio", sum(ratios) / len(ratios))
        amount_total = 0
        soldout_total = 0
        ratios = []
