import random

import torch


class ClassicSGD(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum=0.0):
        super().__init__(params, dict(lr=lr, momentum=momentum))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                buf = self.state[p].setdefault("buf", torch.zeros_like(p.data))
                buf.mul_(group["momentum"]).add_(p.grad.data)
                p.data.add_(buf, alpha=-group["lr"])


class PCGrad:
    def __init__(self, optim):
        self.optim = optim
        self.params = [p for g in optim.param_groups for p in g["params"]]

    def _flat(self):
        return torch.cat([torch.zeros(p.numel()) if p.grad is None else p.grad.flatten().clone() for p in self.params])

    def step(self, objectives):
        grads = []
        for obj in objectives:
            self.optim.zero_grad(set_to_none=True)
            obj.backward(retain_graph=True)
            grads.append(self._flat())
        projected, conflicts = [g.clone() for g in grads], 0
        for i, gi in enumerate(projected):
            order = [j for j in range(len(grads)) if j != i]
            random.shuffle(order)
            for j in order:
                dot = gi @ grads[j]
                if dot < 0:
                    conflicts += 1
                    gi -= dot / grads[j].pow(2).sum().clamp_min(1e-12) * grads[j]
        total, k = torch.stack(projected).sum(0), 0
        for p in self.params:
            n = p.numel()
            p.grad = total[k:k + n].view_as(p).clone()
            k += n
        self.optim.step()
        return conflicts
