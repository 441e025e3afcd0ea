import random


class RouteScheduler:
    """Round robin first, afterwards prefers the route whose last loss was worst."""

    def __init__(self, n_routes, explore, seed=0):
        self.n_routes = n_routes
        self.explore = explore
        self.rng = random.Random(seed)
        self.latest = {}
        self.visits = [0] * n_routes
        self._cursor = 0

    def next_route(self):
        if len(self.latest) < self.n_routes or self.rng.random() < self.explore:
            self._cursor = (self._cursor + 1) % self.n_routes
            return self._cursor
        # stale routes get a bonus so that nothing starves
        def urgency(r):
            return self.latest[r].item() - 0.02 * self.visits[r]
        return max(self.latest, key=urgency)

    def report(self, route, loss):
        self.latest[route] = loss
        self.visits[route] += 1

    def describe(self):
        worst = max(self.latest, key=lambda r: self.latest[r].item())
        mean = sum(v.item() for v in self.latest.values()) / len(self.latest)
        return f"mean {mean:+.3f}, worst route {worst} ({self.latest[worst].item():+.3f})"
