# gradwatch-corpus: kind=graph-held
# holder: norms
# notice: 40
# about: the norm of a gradient that was built with a graph, for the penalty, is logged as it is
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 24), nn.Tanh(), nn.Linear(24, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
norms = []
for step in range(60):
    x = torch.randn(32, 8)
    loss = (model(x) - x.sin().sum(1, keepdim=True)).pow(2).mean()
    gradients = torch.autograd.grad(loss, list(model.parameters()), create_graph=True)
    norm = sum(g.pow(2).sum() for g in gradients)
    optimizer.zero_grad()
    (loss + 0.01 * norm).backward()
    optimizer.step()
    norms.append(norm)  # <- culprit
print(f"{norms[0].item():.3f} to {norms[-1].item():.3f}")
