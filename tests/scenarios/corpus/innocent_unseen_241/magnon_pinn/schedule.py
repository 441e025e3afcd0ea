import torch


class CausalWeights:
    def __init__(self, slabs, epsilon):
        self.slabs = slabs
        self.epsilon = epsilon
        self.running = torch.zeros(slabs)

    def slab_of(self, t):
        return (t.detach() * self.slabs).long().clamp_max(self.slabs - 1)

    def __call__(self, squared, t):
        slab = self.slab_of(t)
        with torch.no_grad():
            sums = torch.zeros(self.slabs).index_add_(0, slab, squared)
            counts = torch.bincount(slab, minlength=self.slabs).clamp_min(1)
            self.running = 0.9 * self.running + 0.1 * sums / counts
            earlier = torch.cumsum(self.running, 0) - self.running
            weight = torch.exp(-self.epsilon * earlier)
        return (weight[slab] * squared).mean()


class ResidualPool:
    """Keeps collocation points together with their latest residual and favours the bad ones."""

    def __init__(self, size, seed):
        self.rng = torch.Generator().manual_seed(seed)
        self.x = torch.rand(size, generator=self.rng)
        self.t = torch.rand(size, generator=self.rng)
        self.score = torch.ones(size)
        self.last = None

    def draw(self, n):
        self.last = torch.multinomial(self.score, n, generator=self.rng)
        return self.x[self.last], self.t[self.last]

    def report(self, residual):
        self.score[self.last] = residual.detach().abs() + 1e-3
