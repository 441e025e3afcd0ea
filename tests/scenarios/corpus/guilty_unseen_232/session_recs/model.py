import torch
from torch import nn


class NextItemModel(nn.Module):
    def __init__(self, n_items: int, dim: int):
        super().__init__()
        self.items = nn.Embedding(n_items, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.out = nn.Linear(dim, n_items)

    def forward(self, clicks: torch.Tensor, state: torch.Tensor):
        logits = []
        for t in range(clicks.shape[1] - 1):
            state = self.cell(self.items(clicks[:, t]), state)
            logits.append(self.out(state))
        return torch.stack(logits, dim=1), state


class PlainAdagrad:
    """The optimizer the old parameter server used."""

    def __init__(self, params, lr: float, eps: float = 1e-6):
        self.params = list(params)
        self.lr = lr
        self.eps = eps
        self.acc = [torch.zeros_like(p.data) for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        for p, acc in zip(self.params, self.acc):
            if p.grad is None:
                continue
            g = p.grad.data
            acc.addcmul_(g, g)
            p.data.addcdiv_(g, acc.sqrt().add_(self.eps), value=-self.lr)
