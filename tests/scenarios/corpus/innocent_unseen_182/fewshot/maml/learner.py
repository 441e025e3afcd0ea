from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class MetaLearner(nn.Module):
    def __init__(self, n_in, hidden, ways, inner_lr, inner_steps):
        super().__init__()
        self.base = nn.Sequential(nn.Linear(n_in, hidden), nn.Tanh(), nn.Linear(hidden, ways))
        self.log_lr = nn.Parameter(torch.tensor(float(inner_lr)).log())
        self.inner_steps = inner_steps
        self.adapted = None

    def adapt(self, x, y):
        fast = OrderedDict(self.base.named_parameters())
        for _ in range(self.inner_steps):
            loss = F.cross_entropy(functional_call(self.base, fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = OrderedDict(
                (n, w - self.log_lr.exp() * g) for (n, w), g in zip(fast.items(), grads))
        self.adapted = fast
        return fast

    def episode(self, sx, sy, qx, qy):
        fast = self.adapt(sx, sy)
        logits = functional_call(self.base, fast, (qx,))
        return F.cross_entropy(logits, qy), (logits.argmax(1) == qy).float().mean().item()

    def last_adapted_norm(self):
        return sum(w.detach().pow(2).sum() for w in self.adapted.values()).sqrt().item()
