import copy
from collections import deque

import torch
from torch.nn.utils import parameters_to_vector, vector_to_parameters


class Server:
    def __init__(self, net, rank):
        self.net = net.requires_grad_(False)
        self.mean = parameters_to_vector(net.parameters())
        self.columns = deque(maxlen=rank)
        self.rounds = 0

    def broadcast(self):
        return copy.deepcopy(self.net.state_dict())

    def merge(self, replies):
        rows = sum(r.rows for r in replies)
        blended = {k: sum(r.weights[k] * (r.rows / rows) for r in replies) for k in replies[0].weights}
        self.net.load_state_dict(blended)
        now = parameters_to_vector(self.net.parameters())
        self.rounds += 1
        self.mean = self.mean + (now - self.mean) / min(self.rounds, 20)
        self.columns.append(now - self.mean)

    def predict(self, x, draws=6):
        probe = copy.deepcopy(self.net)
        D = torch.stack(list(self.columns), 1)
        out = []
        for _ in range(draws):
            z = torch.randn(D.shape[1])
            vector_to_parameters(self.mean + D @ z / (2 * max(1, D.shape[1] - 1)) ** .5, probe.parameters())
            out.append(probe(x).squeeze(1))
        return torch.stack(out).mean(0), torch.stack(out).std(0)
