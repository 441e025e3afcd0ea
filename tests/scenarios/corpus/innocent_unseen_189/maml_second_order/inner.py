import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class InnerLoop(nn.Module):
    """Second-order adaptation with a learned rate per step."""

    def __init__(self, model, steps, lr=0.05):
        super().__init__()
        self._model = [model]
        self.log_lr = nn.Parameter(torch.full((steps,), lr).log())
        self.trace, self.path = [], []

    @property
    def model(self):
        return self._model[0]

    def loss(self, params, data):
        x, y = data
        return F.mse_loss(functional_call(self.model, params, (x,)), y)

    def adapt(self, support):
        params = dict(self.model.named_parameters())
        self.path = [params]
        for rate in self.log_lr.exp():
            loss = self.loss(params, support)
            grads = torch.autograd.grad(loss, list(params.values()), create_graph=True)
            params = {n: p - rate * g for (n, p), g in zip(params.items(), grads)}
            self.path.append(params)
        return params

    def weighted_query(self, fast, query):
        losses = [self.loss(p, query) for p in self.path]
        self.trace.append([v.item() for v in losses])
        self.path = []
        return losses[-1] + 0.1 * sum(losses[1:-1])

    def pop_trace(self):
        rows, self.trace = self.trace, []
        return [sum(col) / len(col) for col in zip(*rows)]

    def rates(self):
        return [round(v, 4) for v in self.log_lr.detach().exp().tolist()]
