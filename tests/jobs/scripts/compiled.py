"""A compiled model with a graph break and shapes that change; prints what the compiler did."""

import sys

import torch
from torch import nn
from torch._dynamo.utils import counters

import gradwatch_agent.auto  # noqa: F401


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.first(x).tanh()
        torch._dynamo.graph_break()
        return self.second(x)


healthy, leaking = map(int, sys.argv[1:])
torch.manual_seed(0)
model = Model()
fast = torch.compile(model, backend="aot_eager")
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
total = torch.zeros(())
for number in range(healthy + leaking):
    loss = fast(torch.randn(2 + number % 3, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if number < healthy:
        total += loss.detach()
    else:
        total += loss  # the leak
for kind in ("frames", "stats", "graph_break"):
    print(kind, sorted(counters[kind].items()))
print(total.item())
