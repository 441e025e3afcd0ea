import torch
from torch import nn
from torch.autograd import grad


class BeamShape(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.inner(x)

    def with_slopes(self, x):
        x = x.requires_grad_(True)
        w = self(x)
        w1, = grad(w.sum(), x, create_graph=True)
        w2, = grad(w1.sum(), x, create_graph=True)
        return w, w1, w2
