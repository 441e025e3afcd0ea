# gradwatch-corpus: kind=graph-chain
# holder: theta | theta["up.weight"] | theta["down.weight"]
# first-bad: 1
# notice: 5
# Bottleneck adapter over a frozen encoder, trained with plain functional SGD.
import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(2)


class Adapter(nn.Module):
    def __init__(self, d, r):
        super().__init__()
        self.down = nn.Linear(d, r)
        self.up = nn.Linear(r, d)

    def forward(self, x):
        return x + self.up(torch.tanh(self.down(x)))


encoder = nn.Sequential(nn.Linear(9, 18), nn.ELU(), nn.Linear(18, 18)).requires_grad_(False)
readout = nn.Linear(18, 4).requires_grad_(False)
adapter = Adapter(18, 5)
centers = torch.randn(4, 9) * 1.5


def episode(n=20):
    y = torch.randint(0, 4, (n,))
    return centers[y] + torch.randn(n, 9), y


def descend(theta, batch, lr):
    x, y = batch
    logits = readout(functional_call(adapter, theta, (encoder(x),)))
    loss = nn.functional.cross_entropy(logits, y, label_smoothing=0.05)
    grads = torch.autograd.grad(loss, list(theta.values()), create_graph=True)  # <- culprit
    return {k: w - lr * g for (k, w), g in zip(theta.items(), grads)}, loss.detach()  # <- culprit


theta = dict(adapter.named_parameters())
for t in range(320):
    theta, loss = descend(theta, episode(), lr=0.2 if t < 200 else 0.05)
    if t % 64 == 0:
        with torch.no_grad():
            x, y = episode(200)
            acc = (readout(functional_call(adapter, theta, (encoder(x),))).argmax(1) == y).float().mean()
        print(t, f"loss {loss:.3f} acc {acc:.2f}")
