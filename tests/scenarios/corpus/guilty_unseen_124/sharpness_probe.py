# gradwatch-corpus: kind=graph-held
# holder: encoder.weight.grad | net.encoder.weight.grad | net.encoder.bias.grad | p.grad
# first-bad: 1
# notice: 8
"""Linear probe over a given encoder, with a curvature estimate of the head each step."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(29)


class Probe(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(12, 10)
        self.head = nn.Linear(10, 3)

    def forward(self, x):
        return self.head(torch.tanh(self.encoder(x)))


def rademacher_like(params):
    return [torch.randint_like(p, 2) * 2 - 1 for p in params]


def head_trace(params):
    zs = rademacher_like(params)
    dot = sum((p.grad * z).sum() for p, z in zip(params, zs))
    hz = torch.autograd.grad(dot, params)
    return sum(float((h * z).sum()) for h, z in zip(hz, zs))


net = Probe()
centres = torch.randn(3, 12) * 1.5
opt = torch.optim.SGD(net.head.parameters(), lr=0.1)
avg_trace = 0.0
for it in range(240):
    y = torch.randint(0, 3, (32,))
    x = centres[y] + torch.randn(32, 12)
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward(create_graph=True)  # <- culprit
    avg_trace = 0.95 * avg_trace + 0.05 * head_trace(list(net.head.parameters()))
    opt.step()
    if it % 60 == 59:
        print(f"{it} loss {loss.item():.3f} trace {avg_trace:.2f}")
