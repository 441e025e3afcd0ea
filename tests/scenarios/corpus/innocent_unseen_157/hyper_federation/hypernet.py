from collections import OrderedDict

import torch
from torch import nn


class HyperNet(nn.Module):
    def __init__(self, clients, template, embed=6, width=24):
        super().__init__()
        self.shapes = OrderedDict((name, w.shape) for name, w in template.items())
        self.identity = nn.Embedding(clients, embed)
        self.trunk = nn.Sequential(nn.Linear(embed, width), nn.ReLU())
        self.writers = nn.ModuleDict({name.replace(".", "_"): nn.Linear(width, shape.numel())
                                      for name, shape in self.shapes.items()})
        for writer in self.writers.values():
            nn.init.normal_(writer.weight, std=0.05)

    def forward(self, client):
        h = self.trunk(self.identity(client)).squeeze(0)
        return OrderedDict((name, self.writers[name.replace(".", "_")](h).view(shape))
                           for name, shape in self.shapes.items())
