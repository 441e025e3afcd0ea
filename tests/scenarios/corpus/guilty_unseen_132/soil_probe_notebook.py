# gradwatch-corpus: kind=crashed
# holder: rmse
# first-bad: 0
# notice: 0
# Exported from soil_probe.ipynb (field season 2, clay loam plots)

# In[1]:
import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(4)
rng = np.random.default_rng(4)

# In[2]:
# capacitance, temperature, depth, bulk density -> volumetric water content (%)
n = 320
X = np.column_stack([
    rng.uniform(20, 60, n),
    rng.normal(14, 5, n),
    rng.choice([10, 20, 40], n),
    rng.normal(1.35, 0.1, n),
]).astype("float32")
vwc = (0.9 * X[:, 0] - 0.25 * X[:, 1] + 4 * X[:, 3] + rng.normal(0, 1.5, n)).astype("float32")

mu, sd = X.mean(0), X.std(0)
Xn = (X - mu) / sd

# In[3]:
def rmse_score(pred, target):
    """Same metric the agronomy people use in their spreadsheets."""
    return np.sqrt(np.mean((pred - target) ** 2))


def training_loss(net, xb, yb):
    pred = net(xb).squeeze(1)
    err = rmse_score(pred.detach().numpy(), yb.numpy())  # <- culprit
    rmse = torch.tensor(err)  # <- culprit
    return rmse


# In[4]:
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
optim = torch.optim.Adam(net.parameters(), lr=3e-3)

# In[5]:
xs, ys = torch.from_numpy(Xn), torch.from_numpy(vwc)
curve = []
for epoch in range(50):
    perm = torch.randperm(n)
    for i in range(0, n, 32):
        idx = perm[i:i + 32]
        optim.zero_grad()
        loss = training_loss(net, xs[idx], ys[idx])
        loss.backward()
        optim.step()
        curve.append(float(loss))
    print(epoch, np.mean(curve[-10:]))
