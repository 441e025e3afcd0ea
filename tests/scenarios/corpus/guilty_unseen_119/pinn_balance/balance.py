import torch


class GradNormWeights:
    """lambda_k = max_j |g_j| / mean |g_k|  in the manner of Wang, Teng & Perdikaris (2021)"""

    def __init__(self, names, params, momentum):
        self.names, self.params, self.m = names, params, momentum
        self.w = {n: 1.0 for n in names}

    def _size(self, term, stat):
        g = torch.autograd.grad(term, self.params, allow_unused=True)  # <- culprit
        flat = torch.cat([z.flatten() for z in g if z is not None]).abs()
        return stat(flat).item()

    def refresh(self, terms):
        ref = self._size(terms['pde'], torch.max)  # <- culprit
        for n in self.names:
            if n == 'pde':
                continue
            lam = ref / (self._size(terms[n], torch.mean) + 1e-8)  # <- culprit
            self.w[n] = self.m * self.w[n] + (1 - self.m) * min(lam, 100.0)

    def combine(self, terms):
        return sum(self.w[n] * terms[n] for n in self.names)
