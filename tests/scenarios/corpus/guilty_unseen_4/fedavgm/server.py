import torch


class Coordinator:
    """Slow-moving consensus model; sites are pulled to it and never overwritten."""

    def __init__(self, sites, inertia=0.7):
        self.sites = sites
        self.inertia = inertia
        self.consensus = {k: torch.zeros_like(v) for k, v in sites[0].weights().items()}

    def aggregate(self):
        for name, old in self.consensus.items():
            fresh = torch.stack([s.weights()[name] for s in self.sites]).mean(0)
            self.consensus[name] = torch.lerp(old, fresh, 1 - self.inertia)  # <- culprit

    def spread(self):
        with torch.no_grad():
            return sum((s.weights()[k] - v).norm().item() for s in self.sites for k, v in self.consensus.items())
