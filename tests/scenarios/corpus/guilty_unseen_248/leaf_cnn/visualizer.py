import torch


class FeatureMapVisualizer:
    """Collects the feature maps of some layers so that we can plot how they change in training."""

    def __init__(self, model, layer_names):
        self.maps = {name: [] for name in layer_names}
        self.model = model
        modules = dict(model.named_modules())
        for name in layer_names:
            modules[name].register_forward_hook(self._make_hook(name))

    def _make_hook(self, name):
        def hook(module, inputs, output):
            if module.training:
                self.maps[name].append(output[0])  # <- culprit

        return hook

    def mean_map(self, name):
        with torch.no_grad():
            stacked = torch.stack(self.maps[name])
            return stacked.mean(dim=(0, 1))
