# gradwatch-corpus: kind=none
# FedAvg (McMahan et al. 2017), label-skewed clients.
import copy

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import TensorDataset

from update import LocalUpdate, fed_avg

torch.set_num_threads(1)
torch.manual_seed(1)
np.random.seed(1)


def noniid(labels, num_users, shards_per_user=2):
    order = np.argsort(labels)
    shards = np.array_split(order, num_users * shards_per_user)
    perm = np.random.permutation(len(shards))
    return {u: np.concatenate([shards[s] for s in perm[u * shards_per_user:(u + 1) * shards_per_user]])
            for u in range(num_users)}


centers = torch.randn(6, 10) * 2
y = torch.randint(0, 6, (600,))
data = TensorDataset(centers[y] + torch.randn(600, 10), y)
users = noniid(y.numpy(), 10)

net_glob = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 6))
loss_train = []
for rnd in range(12):
    w_locals, loss_locals = [], []
    for u in np.random.choice(range(10), 4, replace=False):
        w, l = LocalUpdate(data, users[u]).train(copy.deepcopy(net_glob))
        w_locals.append(copy.deepcopy(w))
        loss_locals.append(l)
    net_glob.load_state_dict(fed_avg(w_locals))
    loss_train.append(sum(loss_locals) / len(loss_locals))
    if rnd % 4 == 0:
        print(f"Round {rnd:3d}, Average loss {loss_train[-1]:.3f}")

net_glob.eval()
with torch.no_grad():
    x, t = data.tensors
    print("Accuracy", (net_glob(x).argmax(1) == t).float().mean().item())
