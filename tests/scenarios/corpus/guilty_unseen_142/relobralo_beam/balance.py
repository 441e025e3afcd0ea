import torch


class RelativeBalancer:
    """Relative loss balancing with random lookback for the residual and boundary terms."""

    def __init__(self, n_terms, temperature=0.5, alpha=0.95, lookback_p=0.1):
        self.lam = torch.ones(n_terms)
        self.T, self.alpha, self.p = temperature, alpha, lookback_p
        self.history = []

    def _ratio(self, now, ref):
        return torch.softmax(now.detach() / (self.T * ref.detach() + 1e-9), 0) * len(self.lam)

    def weights(self, terms):
        now = torch.stack(terms)
        if self.history:
            first, last = self.history[0], self.history[-1]
            hist = self.lam if torch.rand(()) > self.p else self._ratio(now, first)
            self.lam = self.alpha * hist + (1 - self.alpha) * self._ratio(now, last)
        self.history.append(now)  # <- culprit
        return self.lam
