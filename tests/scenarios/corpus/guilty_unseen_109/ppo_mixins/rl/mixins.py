from .metrics import REGISTRY


class ProbeMixin:
    """Gives a class ``self.probe(name, fn)``; the probe is evaluated on every `probe_every`-th call to tick()."""
    registry = REGISTRY
    probe_every = 1
    _tick = -1

    def tick(self):
        self._tick += 1

    def probe(self, name, value):
        if self._tick % self.probe_every == 0:
            self.registry.scalar(f"{self.namespace}/{name}", value)  # <- culprit


class ClipMixin:
    clip = 0.2

    def surrogate(self, ratio, adv):
        return -(ratio * adv).minimum(ratio.clamp(1 - self.clip, 1 + self.clip) * adv).mean()
