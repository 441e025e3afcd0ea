# gradwatch-corpus: kind=graph-chain
# holder: objective
# first-bad: 1
# %% Homework 4, part (c): matrix factorisation for ratings with SGD
import torch
import torch.nn as nn

torch.manual_seed(11)
N_USERS = 200
N_ITEMS = 150
RANK = 8
STEPS = 100

# %% synthetic ratings
true_u = torch.randn(N_USERS, RANK) / RANK ** 0.5
true_v = torch.randn(N_ITEMS, RANK)
ratings = true_u @ true_v.t() + 0.1 * torch.randn(N_USERS, N_ITEMS)


def draw(n):
    u = torch.randint(0, N_USERS, (n,))
    v = torch.randint(0, N_ITEMS, (n,))
    return u, v, ratings[u, v]


# %% factors and biases
user_f = nn.Embedding(N_USERS, RANK)
item_f = nn.Embedding(N_ITEMS, RANK)
user_b = nn.Embedding(N_USERS, 1)
item_b = nn.Embedding(N_ITEMS, 1)
for table in (user_f, item_f):
    nn.init.normal_(table.weight, std=0.1)
for table in (user_b, item_b):
    nn.init.zeros_(table.weight)

params = []
for table in (user_f, item_f, user_b, item_b):
    params.extend(table.parameters())
opt = torch.optim.Adagrad(params, lr=0.1)


def predict(u, v):
    dot = (user_f(u) * item_f(v)).sum(dim=1)
    return dot + user_b(u).squeeze(1) + item_b(v).squeeze(1)


def penalty(u, v):
    return user_f(u).pow(2).mean() + item_f(v).pow(2).mean()


# %% train: minimise the average risk seen so far
objective = torch.zeros(())
curve = []
for t in range(1, STEPS + 1):
    u, v, r = draw(256)
    err = predict(u, v) - r
    risk = err.pow(2).mean() + 0.02 * penalty(u, v)
    objective = objective + risk  # <- culprit
    opt.zero_grad()
    (objective / t).backward(retain_graph=True)  # <- culprit
    opt.step()
    curve.append(err.pow(2).mean().item())

# %% results
for t in range(0, STEPS, 20):
    print("step", t, "mse", round(curve[t], 4))
with torch.no_grad():
    full = user_f.weight @ item_f.weight.t() + user_b.weight + item_b.weight.t()
    rmse = (full - ratings).pow(2).mean().sqrt()
print("final rmse", rmse.item())
