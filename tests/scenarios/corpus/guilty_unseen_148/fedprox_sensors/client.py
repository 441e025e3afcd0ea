import copy
from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class ClientReport:
    client: int
    n_samples: int
    loss: float
    drift: torch.Tensor


class Client:
    def __init__(self, cid, shift):
        self.cid = cid
        g = torch.Generator().manual_seed(100 + cid)
        self.x = torch.randn(64, 12, generator=g) + shift
        w = torch.randn(12, 3, generator=torch.Generator().manual_seed(7))
        self.y = (self.x @ w).argmax(1)

    def proximal(self, model, anchor):
        return sum((p - a).pow(2).sum() for p, a in zip(model.parameters(), anchor))

    def train(self, global_model, local_steps, mu):
        model = copy.deepcopy(global_model)
        anchor = [p.detach().clone() for p in global_model.parameters()]
        opt = torch.optim.SGD(model.parameters(), lr=0.05)
        for _ in range(local_steps):
            pick = torch.randint(0, 64, (16,))
            ce = F.cross_entropy(model(self.x[pick]), self.y[pick])
            drift = self.proximal(model, anchor)  # <- culprit
            loss = ce + 0.5 * mu * drift
            opt.zero_grad()
            loss.backward()
            opt.step()
        state = {k: v.detach().clone() for k, v in model.state_dict().items()}
        return state, ClientReport(self.cid, len(self.x), loss.item(), drift)  # <- culprit
