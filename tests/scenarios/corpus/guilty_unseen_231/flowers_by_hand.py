# gradwatch-corpus: kind=graph-chain
# holder: W1 | b1 | W2 | b2
# first-bad: 1
# Week 4 notebook: a two layer network for leaf measurements WITHOUT torch.optim

# %% imports
import torch
import torch.nn.functional as F

torch.manual_seed(42)

# %% data: petal length, petal width, leaf length, leaf width, stem
species = ["rosa", "tulipa", "bellis"]
centers = torch.tensor([
    [1.5, 0.3, 5.0, 3.4, 2.0],
    [4.3, 1.3, 5.9, 2.8, 3.0],
    [5.5, 2.0, 6.6, 3.0, 4.0],
])
y = torch.randint(0, 3, (450,))
X = centers[y] + 0.4 * torch.randn(450, 5)
mu = X.mean(0)
sd = X.std(0)
X = (X - mu) / sd
X_tr = X[:360]
y_tr = y[:360]
X_va = X[360:]
y_va = y[360:]

# %% parameters
n_hidden = 24
W1 = (torch.randn(5, n_hidden) * 0.3).requires_grad_()
b1 = torch.zeros(n_hidden, requires_grad=True)
W2 = (torch.randn(n_hidden, 3) * 0.3).requires_grad_()
b2 = torch.zeros(3, requires_grad=True)
lr = 0.1


# %% model
def net(inputs):
    z = inputs @ W1 + b1
    a = torch.relu(z)
    return a @ W2 + b2


# %% training
history = {"loss": [], "acc": []}
for i in range(150):
    pick = torch.randint(0, len(X_tr), (64,))
    scores = net(X_tr[pick])
    loss = F.cross_entropy(scores, y_tr[pick])
    gW1, gb1, gW2, gb2 = torch.autograd.grad(loss, [W1, b1, W2, b2])
    W1 = W1 - lr * gW1  # <- culprit
    b1 = b1 - lr * gb1  # <- culprit
    W2 = W2 - lr * gW2  # <- culprit
    b2 = b2 - lr * gb2  # <- culprit
    history["loss"].append(loss.item())
    if i % 25 == 0:
        with torch.no_grad():
            acc = (net(X_va).argmax(1) == y_va).float().mean().item()
        history["acc"].append(acc)
        print("iter", i, "loss", round(loss.item(), 4), "val acc", round(acc, 3))

# %% final table
with torch.no_grad():
    pred = net(X_va).argmax(1)
for k, name in enumerate(species):
    mask = y_va == k
    right = (pred[mask] == k).sum().item()
    print(f"{name:8s} {right}/{int(mask.sum())}")
