import torch


class Cellar:
    def __init__(self, varieties, markers):
        self.varieties = varieties
        self.centres = torch.randn(varieties, markers)

    def bottles(self, n):
        label = torch.randint(0, self.varieties, (n,))
        return self._taste(label), label

    def references(self, per_variety):
        label = torch.arange(self.varieties).repeat_interleave(per_variety)
        return self._taste(label).view(self.varieties, per_variety, -1)

    def _taste(self, label):
        centre = self.centres[label]
        return centre + 0.8 * torch.randn_like(centre)
