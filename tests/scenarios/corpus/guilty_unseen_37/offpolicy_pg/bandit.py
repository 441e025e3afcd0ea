import random

import torch


class ContextBandit:
    def __init__(self, n_ctx, n_arms):
        self.n_ctx = n_ctx
        self.best = [random.randrange(n_arms) for _ in range(n_ctx)]

    def observe(self):
        o = torch.zeros(self.n_ctx)
        o[random.randrange(self.n_ctx)] = 1.0
        return o

    def pull(self, ctx, arm):
        return float(random.random() < (0.9 if self.best[int(ctx.argmax())] == arm else 0.2))
