# gradwatch-corpus: kind=memory-climb
# holder: self.audit | server.audit
"""Assignment 2: FedAvg with non-iid clients. Run with python -m fedavg_course"""
import torch

from .client import Client, make_model
from .server import Server

torch.set_num_threads(1)
torch.manual_seed(2)

n_clients, dim, classes = 6, 64, 4
W = torch.randn(dim, classes)
clients = []
for c in range(n_clients):
    x = torch.randn(200, dim) + 0.5 * torch.randn(dim)
    clients.append(Client(c, x, (x @ W).argmax(1)))

server = Server(make_model(dim, classes))
for rnd in range(40):
    picked = torch.randperm(n_clients)[:3].tolist()
    loss = server.round([clients[i] for i in picked])
    if rnd % 10 == 0:
        x = torch.cat([c.x for c in clients])
        y = torch.cat([c.y for c in clients])
        print("round", rnd, "loss %.3f" % loss, "acc %.3f" % server.accuracy(x, y))
