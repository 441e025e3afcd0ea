from torch import nn


class SetEncoder(nn.Module):
    """Deep-set summary of (x, y) pairs."""

    def __init__(self, in_dim, ctx):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(in_dim, 32), nn.ReLU(), nn.Linear(32, 32))
        self.rho = nn.Sequential(nn.ReLU(), nn.Linear(32, ctx))

    def forward(self, pairs):
        return self.rho(self.phi(pairs).mean(0))


class StepCache:
    """Value plus the step at which it was stored."""

    def __init__(self):
        self.value, self.step = None, None

    def fresh(self, step, max_age):
        return self.value is not None and step - self.step < max_age

    def put(self, value, step):
        self.value, self.step = value, step  # <- culprit
        return value


class ContextProvider:
    """Encodes the support set on each step at first, later only now and then."""

    def __init__(self, encoder, refresh_every, warmup):
        self.encoder = encoder
        self.refresh_every, self.warmup = refresh_every, warmup
        self.cache = StepCache()

    def get(self, step, pairs):
        if step < self.warmup:
            return self.encoder(pairs)
        if self.cache.fresh(step, self.refresh_every):
            return self.cache.value  # <- culprit
        return self.cache.put(self.encoder(pairs), step)  # <- culprit
