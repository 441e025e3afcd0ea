# gradwatch-corpus: kind=none
# Finch song syllables, hooks gather activations for an energy term; emptied after every update.
from functools import partial

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(120)


class EnergyMeter:
    def __init__(self, net, kinds):
        self.taken = []
        self.average = 0.0
        watched = [m for m in net.modules() if isinstance(m, kinds)]
        m_count = len(watched)
        for m in watched:
            m.register_forward_hook(partial(self.take, scale=1.0 / m_count))

    def take(self, module, args, out, scale):
        self.taken.append(scale * out.square().mean())

    def drain(self):
        energy = torch.stack(self.taken).sum()
        self.taken.clear()
        self.average = 0.99 * self.average + 0.01 * energy.item()
        return energy


def syllables(n):
    y = torch.randint(0, 5, (n,))
    t = torch.linspace(0, 1, 20)
    return torch.sin(6.28 * (2 + y[:, None]) * t) + 0.3 * torch.randn(n, 20), y


net = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 5))
grads_seen = 0.0


def watch(module, grad_in, grad_out):
    global grads_seen
    grads_seen = 0.9 * grads_seen + 0.1 * grad_out[0].norm().item()


net[4].register_full_backward_hook(watch)
meter = EnergyMeter(net, nn.ReLU)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for i in range(1600):
    x, y = syllables(12)
    logits = net(x)
    loss = nn.functional.cross_entropy(logits, y) + 1e-3 * meter.drain()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 400 == 399:
        print(i + 1, f"{loss.item():.3f}", f"{meter.average:.3f}", f"{grads_seen:.3f}")
