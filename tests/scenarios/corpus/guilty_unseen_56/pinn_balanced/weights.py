import torch


class GradientBalance:
    """Learning-rate annealing of Wang, Teng & Perdikaris: weight of each data term
    follows max|grad residual| / mean|grad term|, smoothed over time."""

    def __init__(self, net, terms, alpha=0.9, every=1):
        self.params = [p for n, p in net.named_parameters() if "weight" in n]
        self.alpha, self.every = alpha, every
        self.lam = {t: torch.ones(()) for t in terms}
        self.step = 0

    def _flat(self, loss):
        grads = torch.autograd.grad(loss, self.params, create_graph=True)  # <- culprit
        return torch.cat([g.abs().reshape(-1) for g in grads])

    def update(self, residual, terms):
        if self.step % self.every == 0:
            top = self._flat(residual).max()
            for name, value in terms.items():
                ratio = top / (self._flat(value).mean() + 1e-8)  # <- culprit
                self.lam[name] = self.alpha * self.lam[name] + (1 - self.alpha) * ratio  # <- culprit
        self.step += 1

    def total(self, residual, terms):
        return residual + sum(self.lam[k].item() * v for k, v in terms.items())
