"""Weight centring with a slowly moving mean, as a parametrization."""
from torch import nn
from torch.nn.utils import parametrize


class SlowCentering(nn.Module):
    def __init__(self, weight, momentum=0.95):
        super().__init__()
        self.momentum = momentum
        self.running = self._mean(weight.detach())

    @staticmethod
    def _mean(w):
        return w.flatten(1).mean(1).view(-1, *[1] * (w.dim() - 1))

    def forward(self, weight):
        if self.training:
            self._refresh(weight)
        return weight - self.running

    def _refresh(self, weight):
        mean = self._mean(weight)
        self.running = self.running.lerp(mean, 1 - self.momentum)  # <- culprit


def apply_centering(model, kinds):
    for module in model.modules():
        if isinstance(module, kinds):
            parametrize.register_parametrization(module, "weight", SlowCentering(module.weight), unsafe=True)
    return model


def centered_layers(model):
    return [m for m in model.modules() if isinstance(m, SlowCentering)]
