# gradwatch-corpus: kind=none
# Glacier mass balance with a recurrent reservoir; within a season every month's misfit is walked back
# to the start of that season, then the state begins anew.
import torch

torch.set_num_threads(1)
torch.manual_seed(2)

MONTHS = 8
n = 10
W = torch.randn(n, n) * 0.25
forcing = torch.nn.Linear(2, n)
melt = torch.nn.Linear(n, 1)
opt = torch.optim.Adam([*forcing.parameters(), *melt.parameters()], lr=3e-3)


def climate(season, month):
    temp = torch.sin(torch.tensor(month * 0.8)) + 0.01 * season
    snow = torch.rand(())
    return torch.stack([temp, snow])


for season in range(75):
    s = torch.zeros(n)
    balance = 0.0
    seen = 0.0
    for month in range(MONTHS):
        c = climate(season, month)
        s = torch.tanh(forcing(c) + W @ s)
        balance = balance + 0.3 * float(c[1]) - 0.2 * max(float(c[0]), 0.0)
        miss = (melt(s) - balance).square().sum()
        opt.zero_grad()
        miss.backward(retain_graph=month + 1 < MONTHS)
        opt.step()
        seen += miss.item()
    if season % 15 == 0:
        print(season, seen / MONTHS)
