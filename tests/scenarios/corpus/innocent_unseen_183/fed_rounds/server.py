import copy

import torch
from torch import nn


class Server:
    def __init__(self, clients, local_steps=12):
        self.global_model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 3))
        self.clients = clients
        self.local_steps = local_steps

    def average(self, locals_):
        with torch.no_grad():
            for name, p in self.global_model.named_parameters():
                stacked = torch.stack([dict(m.named_parameters())[name] for m in locals_])
                p.copy_(stacked.mean(0))

    def run_round(self, gen):
        locals_ = []
        for client in self.clients:
            client.begin_round()
        for client in self.clients:
            model = copy.deepcopy(self.global_model)
            opt = torch.optim.SGD(model.parameters(), lr=0.05)
            for _ in range(self.local_steps):
                client.local_step(model, opt, gen)
            locals_.append(model)
        self.average(locals_)
        return {c.cid: c.state.mean_loss() for c in self.clients}
