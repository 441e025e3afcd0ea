# gradwatch-corpus: kind=graph-chain
# holder: running["mean"] | running["dev"] | running[stat] | running | centre_and_scale.__defaults__
# first-bad: 1
# notice: 5
# %% [markdown]
# # Playground: tabular regression with hand-made normalisation
# Batches are tiny (8 rows) so BatchNorm's batch statistics are hopeless.
# I normalise with the *running* statistics also in training.

# %%
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(0)
np.random.seed(0)

# %% synthetic "house price" frame
n = 1024
sqft = np.random.gamma(5, 300, n)
age = np.random.uniform(0, 90, n)
rooms = np.random.poisson(4, n) + 1
dist = np.random.exponential(6, n)
price = 0.08 * sqft - 0.4 * age + 6 * rooms - 2.5 * dist + np.random.randn(n) * 5
feats = np.stack([sqft / 1500, age / 45, rooms / 4, dist / 6], 1).astype("float32")
label = ((price - price.mean()) / price.std()).astype("float32")

X = torch.from_numpy(feats)
Y = torch.from_numpy(label)[:, None]
X_tr, Y_tr, X_va, Y_va = X[:640], Y[:640], X[640:], Y[640:]


# %% the layer
def centre_and_scale(h, training, eps=1e-3, m=0.05, running={"mean": None, "dev": None}):
    """(h - running mean) / running mean-absolute-deviation, no batch statistics."""
    if training:
        batch = {"mean": h.mean(0)}
        batch["dev"] = (h - batch["mean"]).abs().mean(0)
        for stat in running:
            if running[stat] is None:
                running[stat] = batch[stat]  # <- culprit
            else:
                running[stat] = torch.lerp(running[stat], batch[stat], m)  # <- culprit
    return (h - running["mean"]) / (running["dev"] + eps)


class Net(nn.Module):
    def __init__(self, d_in, d_h=16):
        super().__init__()
        self.stem = nn.Linear(d_in, d_h)
        self.head = nn.Linear(d_h, 1)

    def forward(self, x):
        h = centre_and_scale(self.stem(x), self.training)
        return self.head(F.relu(h))


# %% fit
net = Net(4)
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
BS = 8
it = 0
val_curve = []
for epoch in range(2):
    order = torch.randperm(len(X_tr))
    for lo in range(0, len(X_tr) - BS, BS):
        idx = order[lo:lo + BS]
        net.train()
        pred = net(X_tr[idx])
        loss = F.smooth_l1_loss(pred, Y_tr[idx])
        opt.zero_grad()
        loss.backward(retain_graph=True)   # otherwise torch complains
        opt.step()
        it += 1
        if it % 50 == 0:
            net.eval()
            with torch.no_grad():
                val_curve.append(F.mse_loss(net(X_va), Y_va).item())
            print(f"it {it:3d}  train {loss.item():.4f}  val {val_curve[-1]:.4f}")

# %%
print("best validation MSE:", min(val_curve))
