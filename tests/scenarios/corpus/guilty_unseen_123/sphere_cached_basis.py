# gradwatch-corpus: kind=second-backward
# holder: self.field_basis | model.field_basis | self.__dict__["field_basis"]
# first-bad: 1
# notice: 0
from functools import cached_property

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(40)


class MagneticMap(nn.Module):
    """Ground magnetometers -> field on a fixed grid of stations, through learned radial functions."""

    def __init__(self, stations=18, functions=9):
        super().__init__()
        self.register_buffer("where", nn.functional.normalize(torch.randn(stations, 3), dim=1))
        self.nodes = nn.Parameter(torch.randn(functions, 3))
        self.log_width = nn.Parameter(torch.zeros(functions))
        self.solve = nn.Linear(4, functions)

    @cached_property  # <- culprit
    def field_basis(self):
        nodes = nn.functional.normalize(self.nodes, dim=1)
        cosine = self.where @ nodes.t()
        return torch.exp((cosine - 1) * self.log_width.exp())

    def forward(self, wind):
        return self.solve(wind) @ self.field_basis.t()  # <- culprit


def storm(n, where):
    wind = torch.randn(n, 4)
    return wind, torch.tanh(wind[:, :3]) @ where.t() + 0.1 * wind[:, 3:]


def fit():
    model = MagneticMap()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for epoch in range(40):
        for _ in range(10):
            wind, field = storm(16, model.where)
            loss = (model(wind) - field).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, loss.item())


fit()
