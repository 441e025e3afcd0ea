from itertools import islice

import torch
from torch import nn

from plugins import BatchContext


class Scorecard(nn.Module):
    def __init__(self, n_num, n_cat):
        super().__init__()
        self.cat = nn.Embedding(n_cat, 3)
        self.net = nn.Sequential(nn.Linear(n_num + 3, 20), nn.ReLU(), nn.Dropout(0.1), nn.Linear(20, 1))

    def forward(self, num, cat):
        return torch.sigmoid(self.net(torch.cat([num, self.cat(cat)], 1)).squeeze(1))


class Experiment:
    def __init__(self, stream, plugins):
        self.stream = stream
        self.plugins = list(plugins)
        self.model = Scorecard(stream.n_num, stream.n_cat)
        self.optimizer = torch.optim.RMSprop(self.model.parameters(), lr=1e-3)
        self.bce = nn.BCELoss()

    def _emit(self, stage, ctx):
        for plugin in self.plugins:
            getattr(plugin, stage)(ctx)

    def run(self, iterations):
        for index, (num, cat, y) in enumerate(islice(iter(self.stream), iterations)):
            ctx = BatchContext(index, self.model(num, cat), y, self.optimizer)
            self._emit("before_step", ctx)
            self.optimizer.zero_grad()
            self.bce(ctx.probs, y).backward()
            self.optimizer.step()
            self._emit("after_step", ctx)
