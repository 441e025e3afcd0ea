from dataclasses import dataclass

import torch
import torch.nn.functional as F

from model import RiskModel, flatten, unflatten_


@dataclass
class ClientUpdate:
    hospital: int
    cases: int
    loss: float
    delta: torch.Tensor


class Hospital:
    FEATURES = 48

    def __init__(self, ident, cases, batch=48):
        self.ident, self.batch = ident, batch
        self.gen = torch.Generator().manual_seed(100 + ident)
        x = torch.randn(cases, self.FEATURES, generator=self.gen) + 0.1 * ident
        risk = x[:, :6].sum(1) * 0.6 - 0.8 * x[:, 6] * x[:, 7] - 0.3 * ident
        y = torch.bernoulli(risk.sigmoid(), generator=self.gen)
        cut = int(0.8 * cases)
        self.train, self.valid = (x[:cut], y[:cut]), (x[cut:], y[cut:])
        self.scratch = RiskModel()

    def local_round(self, weights, lr, local_steps=1):
        model = unflatten_(self.scratch, weights)
        optimizer = torch.optim.SGD(model.parameters(), lr=lr)
        x, y = self.train
        for _ in range(local_steps):
            idx = torch.randint(0, len(y), (self.batch,), generator=self.gen)
            loss = F.binary_cross_entropy_with_logits(model(x[idx]).squeeze(-1), y[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return ClientUpdate(self.ident, len(y), loss.item(), flatten(model) - weights)

    def validation_loss(self, model):
        x, y = self.valid
        return F.binary_cross_entropy_with_logits(model(x).squeeze(-1), y).item()
