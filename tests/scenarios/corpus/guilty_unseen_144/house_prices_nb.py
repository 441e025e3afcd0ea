# gradwatch-corpus: kind=second-backward
# holder: reg
# first-bad: 1
# notice: 0
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

# In [1]: fake "Ames"
n = 512
area = torch.rand(n) * 2 + 0.5
rooms = torch.randint(1, 9, (n,)).float()
year = torch.rand(n)
hood = torch.randint(0, 12, (n,))
log_price = 0.6 * area + 0.05 * rooms + 0.4 * year + 0.1 * (hood % 4).float() + 0.05 * torch.randn(n)
num = torch.stack([area, rooms / 8, year], 1)

# In [2]: model
hood_emb = nn.Embedding(12, 3)
l1 = nn.Linear(6, 24)
l2 = nn.Linear(24, 24)
l3 = nn.Linear(24, 1)
params = [p for m in (hood_emb, l1, l2, l3) for p in m.parameters()]


def predict(ix):
    h = torch.cat([num[ix], hood_emb(hood[ix])], 1)
    h = F.relu(l1(h))
    h = F.relu(l2(h)) + h
    return l3(h).squeeze(1)


# In [3]: train
opt = torch.optim.Adam(params, lr=3e-3)
reg = 1e-4 * sum(l.weight.pow(2).sum() for l in (l1, l2, l3))  # <- culprit
for epoch in range(20):
    tot = 0.0
    for ix in torch.randperm(n).split(64):
        rmse = (F.mse_loss(predict(ix), log_price[ix]) + 1e-8).sqrt()
        loss = rmse + reg
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += rmse.item()
    print(epoch, tot / 8)
