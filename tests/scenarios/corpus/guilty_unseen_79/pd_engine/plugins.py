from .core import Plugin, register


@register("plugin", "class_balance")
class ClassBalance(Plugin):
    """Inverse-frequency weights, defaults being rare."""

    def __init__(self, floor):
        self.floor = floor

    def weights(self, y):
        rate = y.mean().clamp(self.floor, 1 - self.floor)
        return y / (2 * rate) + (1 - y) / (2 * (1 - rate))


@register("plugin", "anchor")
class Anchor(Plugin):
    """Pulls the coefficients to their own slow average (regulator wants stable scorecards)."""

    def __init__(self, strength, rate):
        self.strength, self.rate = strength, rate
        self.slow = {}

    def attach(self, engine):
        for name, p in engine.model.named_parameters():
            self.slow[name] = p.detach().clone()

    def penalty(self, model):
        gap = sum((p - self.slow[name]).square().sum() for name, p in model.named_parameters())
        return self.strength * gap

    def after_step(self, engine):
        for name, p in engine.model.named_parameters():
            self.slow[name] = self.slow[name].lerp(p, self.rate)  # <- culprit


@register("plugin", "ticker")
class Ticker(Plugin):
    def __init__(self, every):
        self.every = every

    def after_step(self, engine):
        if engine.step % self.every == 0:
            print(f"step {engine.step:4d} objective {engine.last:.4f}")
