import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class MAML:
    def __init__(self, model, inner_lr=0.02, inner_steps=2, outer_lr=1e-3):
        self.model = model
        self.inner_lr = nn.ParameterDict(
            {n.replace(".", "_"): nn.Parameter(torch.tensor(inner_lr)) for n, _ in model.named_parameters()})
        self.inner_steps = inner_steps
        self.opt = torch.optim.Adam([*model.parameters(), *self.inner_lr.parameters()], lr=outer_lr)
        self.fast = None

    def adapt(self, x, y, create_graph=True):
        self.fast = dict(self.model.named_parameters())
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.model, self.fast, (x,)), y)
            grads = torch.autograd.grad(loss, tuple(self.fast.values()), create_graph=create_graph)
            self.fast = {n: p - self.inner_lr[n.replace(".", "_")] * g
                         for (n, p), g in zip(self.fast.items(), grads)}
        return self.fast

    def meta_step(self, tasks):
        meta_loss = 0.0
        for xs, ys, xq, yq in tasks:
            params = self.adapt(xs, ys)
            meta_loss = meta_loss + F.mse_loss(functional_call(self.model, params, (xq,)), yq)
        meta_loss = meta_loss / len(tasks)
        self.opt.zero_grad()
        meta_loss.backward()
        self.opt.step()
        return meta_loss.item()
