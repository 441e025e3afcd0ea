import copy

import torch
from torch.nn import functional as F


class Clinic:
    def __init__(self, ident, truth, template, gen, n=160):
        self.ident = ident
        shift = 0.5 * torch.randn(10, generator=gen)
        self.x = torch.randn(n, 10, generator=gen) + shift
        score = self.x @ (truth + 0.2 * torch.randn(10, generator=gen))
        self.y = (score + 0.3 * torch.randn(n, generator=gen) > 0).float()
        self.control = [torch.zeros_like(p) for p in template.parameters()]
        self.model = None

    def work(self, global_net, global_control, steps, lr=0.1, mu=0.01, batch=32):
        self.model = copy.deepcopy(global_net)
        anchor = [p.detach().clone() for p in global_net.parameters()]
        params = list(self.model.parameters())
        losses = []
        for _ in range(steps):
            i = torch.randint(0, len(self.x), (batch,))
            fit = F.binary_cross_entropy_with_logits(self.model(self.x[i]).squeeze(1), self.y[i])
            prox = sum((p - a).pow(2).sum() for p, a in zip(params, anchor))
            loss = fit + 0.5 * mu * prox
            grads = torch.autograd.grad(loss, params)
            with torch.no_grad():
                for p, g, c, cg in zip(params, grads, self.control, global_control):
                    p -= lr * (g - c + cg)
            losses.append(loss.item())
        with torch.no_grad():
            delta = [p - a for p, a in zip(params, anchor)]
            fresh = [c - cg - d / (steps * lr) for c, cg, d in zip(self.control, global_control, delta)]
            shift = [n - c for n, c in zip(fresh, self.control)]
        self.control = fresh
        return {"delta": [d.clone() for d in delta], "shift": shift, "loss": sum(losses) / steps}

    @torch.no_grad()
    def evaluate(self, net):
        return ((net(self.x).squeeze(1) > 0).float() == self.y).float().mean().item()
