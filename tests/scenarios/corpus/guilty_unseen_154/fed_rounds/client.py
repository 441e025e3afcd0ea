import copy
from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class Report:
    cid: int
    n: int
    state: dict
    loss: torch.Tensor
    acc: float


class Client:
    def __init__(self, cid, x, y, lr=0.1, local_steps=4, mu=0.01):
        self.cid, self.x, self.y = cid, x, y
        self.lr, self.local_steps, self.mu = lr, local_steps, mu

    def prox(self, net, ref):
        return sum((p - q).pow(2).sum() for p, q in zip(net.parameters(), ref))

    def fit(self, server_net):
        net = copy.deepcopy(server_net)
        ref = [p.detach().clone() for p in server_net.parameters()]
        opt = torch.optim.SGD(net.parameters(), self.lr)
        for _ in range(self.local_steps):
            idx = torch.randint(0, len(self.x), (20,))
            logits = net(self.x[idx])
            loss = F.cross_entropy(logits, self.y[idx]) + self.mu / 2 * self.prox(net, ref)
            opt.zero_grad()
            loss.backward()
            opt.step()
        acc = (logits.argmax(1) == self.y[idx]).float().mean().item()
        state = {k: v.clone() for k, v in net.state_dict().items()}
        return Report(self.cid, len(self.x), state, loss, acc)  # <- culprit
