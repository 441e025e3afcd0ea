"""A small VGG-like feature extractor (stands in for vgg19.features in the exercise)."""
import torch
from torch import nn


class Features(nn.Module):
    """Convolutional blocks; forward returns the activation of every block by name."""

    def __init__(self, widths=(12, 24, 32)):
        super().__init__()
        blocks = []
        c_in = 3
        for i, c_out in enumerate(widths):
            layers = [nn.Conv2d(c_in, c_out, 3, padding=1), nn.ReLU()]
            if i > 0:
                layers.insert(0, nn.AvgPool2d(2))
            blocks.append(nn.Sequential(*layers))
            c_in = c_out
        self.blocks = nn.ModuleList(blocks)
        self.register_buffer("mean", torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1))
        self.register_buffer("std", torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1))

    def forward(self, img):
        x = (img - self.mean) / self.std
        acts = {}
        for i, block in enumerate(self.blocks):
            x = block(x)
            acts[f"conv{i + 1}"] = x
        return acts
