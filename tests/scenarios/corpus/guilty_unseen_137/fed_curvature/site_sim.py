import copy

import torch
import torch.nn.functional as F


class HospitalSite:
    def __init__(self, ident, n, w):
        self.ident = ident
        self.x = torch.randn(n, w.numel())
        self.y = (self.x @ w + 0.3 * torch.randn(n) > 0).float()

    def _curvature(self, local, grads):
        """Hutchinson probe of the diagonal."""
        probes = [torch.randint(0, 2, g.shape).float() * 2 - 1 for g in grads]
        dot = sum((g * v).sum() for g, v in zip(grads, probes))
        hv = torch.autograd.grad(dot, list(local.parameters()))
        return {n: (h * v).abs() for (n, _), h, v in zip(local.named_parameters(), hv, probes)}

    def local_round(self, global_model, lr=0.3):
        local = copy.deepcopy(global_model)
        opt = torch.optim.SGD(local.parameters(), lr=lr)
        loss = F.binary_cross_entropy_with_logits(local(self.x), self.y)
        loss.backward(create_graph=True)  # <- culprit
        curv = self._curvature(local, [p.grad for p in local.parameters()])
        opt.step()
        weights = {n: p.detach().clone() for n, p in local.named_parameters()}
        return {"weights": weights, "curv": curv, "loss": loss.item()}
