import torch
import torch.nn.functional as F
from torch.func import functional_call


class Hospital:
    def __init__(self, idx, rule, shift, batch=24):
        self.name = f"hospital-{idx:02d}"
        self.gen = torch.Generator().manual_seed(1000 + idx)
        self.rule = rule
        self.bias = shift * torch.randn(rule.shape[0], generator=self.gen)
        self.batch = batch

    def _patients(self):
        x = torch.randn(self.batch, self.rule.shape[0], generator=self.gen) + self.bias
        return x, (x @ self.rule).argmax(1)

    def local_update(self, net, steps, lr):
        start = {k: p.detach() for k, p in net.named_parameters()}
        local = dict(start)
        for _ in range(steps):
            local = {k: p.clone().requires_grad_() for k, p in local.items()}
            x, y = self._patients()
            loss = F.cross_entropy(functional_call(net, local, (x,)), y)
            grads = torch.autograd.grad(loss, list(local.values()))
            local = {k: p.detach() - lr * g for (k, p), g in zip(local.items(), grads)}
        return {k: local[k] - start[k] for k in start}

    @torch.no_grad()
    def evaluate(self, net):
        x, y = self._patients()
        return (net(x).argmax(1) == y).float().mean().item()
