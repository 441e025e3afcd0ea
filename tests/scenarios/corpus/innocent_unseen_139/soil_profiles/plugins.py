import torch

PLUGINS = {}


def named(name):
    def deco(cls):
        PLUGINS[name] = cls
        return cls

    return deco


class Plugin:
    def critic_terms(self, critic, real, fake):
        return ()

    def after_round(self, n, scores):
        pass


@named("gradient-penalty")
class GradientPenalty(Plugin):
    def __init__(self, weight):
        self.weight = weight
        self.last_slope = None

    def critic_terms(self, critic, real, fake):
        mix = torch.rand(len(real), 1)
        mid = (mix * real + (1 - mix) * fake).requires_grad_(True)
        (slope,) = torch.autograd.grad(critic(mid).sum(), mid, create_graph=True)
        self.last_slope = slope
        yield self.weight * (slope.norm(dim=1) - 1).square().mean()


@named("scores")
class Scores(Plugin):
    def __init__(self, every):
        self.every, self.history = every, []

    def after_round(self, n, scores):
        self.history.append([float(s) for s in scores])
        if n % self.every == 0:
            print(n, *(round(s, 3) for s in self.history[-1]))
