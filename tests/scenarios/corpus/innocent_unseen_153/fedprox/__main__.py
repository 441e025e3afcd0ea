# gradwatch-corpus: kind=none
"""FedProx: clients keep close to the global weights, server averages."""
import copy

import torch

from .local import local_update
from .model import net

torch.set_num_threads(1)
torch.manual_seed(33)


def make_clients(k=5):
    w = torch.randn(12, 3)
    out = []
    for _ in range(k):
        x = torch.randn(torch.randint(60, 140, (1,)).item(), 12) + torch.randn(12)
        out.append((x, (x @ w).argmax(1)))
    return out


def average(states, sizes):
    total = float(sum(sizes))
    avg = copy.deepcopy(states[0])
    for k in avg:
        avg[k] = sum(s[k] * (n / total) for s, n in zip(states, sizes))
    return avg


def accuracy(model, clients):
    model.eval()
    hit = n = 0
    with torch.no_grad():
        for x, y in clients:
            hit += (model(x).argmax(1) == y).sum().item()
            n += len(y)
    model.train()
    return hit / n


clients = make_clients()
server = net()
history = []
for rnd in range(12):
    chosen = torch.randperm(len(clients))[:3].tolist()
    states, sizes, losses = [], [], []
    for c in chosen:
        state, loss = local_update(server, clients[c], epochs=2, mu=0.05)
        states.append(state)
        sizes.append(len(clients[c][1]))
        losses.append(loss)
    server.load_state_dict(average(states, sizes))
    history.append({"loss": sum(losses) / 3, "acc": accuracy(server, clients)})
    print(rnd, history[-1])
