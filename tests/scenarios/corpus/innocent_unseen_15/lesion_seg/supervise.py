import torch
from torch import nn
import torch.nn.functional as F


def dice_loss(logits, label, eps=1.0):
    """One value per image."""
    p = torch.sigmoid(logits).flatten(1)
    t = label.flatten(1)
    return 1 - (2 * (p * t).sum(1) + eps) / (p.sum(1) + t.sum(1) + eps)


class DeepSupervision:
    def __init__(self, net, names, channels):
        self.captured = {}
        self.heads = nn.ModuleDict()
        for name, c in zip(names, channels):
            self.heads[name] = nn.Conv2d(c, 1, 1)
            net.get_submodule(name).register_forward_hook(self._tap(name))

    def _tap(self, name):
        def hook(module, args, output):
            if torch.is_grad_enabled():
                self.captured[name] = output
        return hook

    def loss(self, label):
        total = 0.0
        while self.captured:
            name, feature = self.captured.popitem()
            logits = self.heads[name](feature)
            small = F.adaptive_max_pool2d(label, logits.shape[-2:])
            total = total + dice_loss(logits, small).mean()
        return total / len(self.heads)
