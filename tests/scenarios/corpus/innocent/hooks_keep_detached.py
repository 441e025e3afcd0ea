# gradwatch-corpus: kind=none
# about: forward and backward hooks on every layer append to lists: detached activations, norms
# about: of gradients as numbers; a report every fifty steps empties them
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class ActivationMonitor:
    def __init__(self, model):
        self.activations, self.gradients = {}, {}
        for name, layer in model.named_modules():
            if isinstance(layer, nn.Linear):
                layer.register_forward_hook(self.forward_hook(name))
                layer.register_full_backward_hook(self.backward_hook(name))
        for name, p in model.named_parameters():
            p.register_hook(lambda g, name=name: self.note(name, g))

    def forward_hook(self, name):
        def hook(module, inputs, output):
            self.activations.setdefault(name, []).append(output.detach())

        return hook

    def backward_hook(self, name):
        def hook(module, grad_in, grad_out):
            self.note(f"{name}.out", grad_out[0])

        return hook

    def note(self, name, grad):
        self.gradients.setdefault(name, []).append(grad.norm().item())

    def report(self):
        dead = {n: (torch.cat(a) <= 0).float().mean().item() for n, a in self.activations.items()}
        norms = {n: sum(g) / len(g) for n, g in self.gradients.items()}
        self.activations.clear()
        self.gradients.clear()
        return f"inactive {sum(dead.values()):.6f} gradient {sum(norms.values()):.6f}"


if __name__ == "__main__":
    torch.manual_seed(0)
    stream = batches(*classes(), size=32)
    model = nn.Sequential(
        nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4)
    )
    monitor = ActivationMonitor(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(1, ITERATIONS + 1):
        x, y = next(stream)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"{step}: {loss.item():.6f} {monitor.report()}")
