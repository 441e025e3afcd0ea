# gradwatch-corpus: kind=none
# about: each parameter has an optimizer of its own that steps INSIDE the backward, from a post-
# about: accumulate hook that also frees the gradient; no step stands in the loop
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


def optimizer_in_backward(model, make):
    optimizers = {p: make([p]) for p in model.parameters()}

    def hook(p):
        optimizers[p].step()
        optimizers[p].zero_grad()

    for p in model.parameters():
        p.register_post_accumulate_grad_hook(hook)
    return optimizers


class Net(nn.Module):
    def __init__(self, depth=4):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(16, 16) for _ in range(depth))
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.relu(layer(x))
        return self.head(x)


if __name__ == "__main__":
    torch.manual_seed(0)
    stream, net = batches(*classes(), size=32), Net()
    optimizers = optimizer_in_backward(net, lambda ps: torch.optim.SGD(ps, lr=0.02, momentum=0.9))
    for step in range(ITERATIONS):
        x, y = next(stream)
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        if step % 50 == 0:
            kept = sum(p.grad is not None for p in net.parameters())
            print(f"{step}: {loss.item():.6f}, {len(optimizers)} optimizers, {kept} gradients kept")
    print("anomaly detection", torch.is_anomaly_enabled())
