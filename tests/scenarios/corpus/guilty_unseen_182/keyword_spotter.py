# gradwatch-corpus: kind=graph-held
# holder: self.acts[name] | self.acts | probe.acts
# first-bad: 1
"""Keyword spotting with a 1-D conv stack; watches activation statistics for dead units."""
from collections import defaultdict

import torch
from torch import nn


class ActivationProbe:
    def __init__(self, model, kinds=(nn.ReLU,)):
        self.acts = defaultdict(list)
        self.handles = []
        for name, mod in model.named_modules():
            if isinstance(mod, kinds):
                self.handles.append(mod.register_forward_hook(self._make_hook(name)))

    def _make_hook(self, name):
        def hook(module, inputs, output):
            self.acts[name].append(output)  # <- culprit
        return hook

    def report(self, last=20):
        rows = []
        for name, outs in self.acts.items():
            with torch.no_grad():
                recent = torch.cat([o.flatten(2).mean(-1) for o in outs[-last:]])
                dead = (recent.max(0).values <= 0).float().mean()
            rows.append(f"{name}: dead {dead.item():.2f} mean {recent.mean().item():.3f}")
        return " | ".join(rows)

    def close(self):
        for h in self.handles:
            h.remove()


class Spotter(nn.Sequential):
    def __init__(self, n_words):
        super().__init__()
        self.add_module("conv1", nn.Conv1d(1, 8, 16, stride=4))
        self.add_module("relu1", nn.ReLU())
        self.add_module("conv2", nn.Conv1d(8, 16, 8, stride=4))
        self.add_module("relu2", nn.ReLU())
        self.add_module("pool", nn.AdaptiveMaxPool1d(1))
        self.add_module("flat", nn.Flatten())
        self.add_module("fc", nn.Linear(16, n_words))


def chirps(n, length=400):
    t = torch.linspace(0, 1, length)
    y = torch.randint(0, 4, (n,))
    f0 = torch.tensor([10.0, 40.0, 10.0, 25.0])[y]
    f1 = torch.tensor([40.0, 10.0, 10.0, 25.0])[y]
    am = torch.where(y == 3, 5.0, 0.0)
    phase = 2 * torch.pi * (f0[:, None] * t + 0.5 * (f1 - f0)[:, None] * t ** 2)
    w = torch.sin(phase) * (1 + 0.5 * torch.sin(2 * torch.pi * am[:, None] * t))
    return (w + 0.3 * torch.randn(n, length)).unsqueeze(1), y


if __name__ == "__main__":
    torch.manual_seed(31)
    wav, word = chirps(640)
    net = Spotter(4)
    probe = ActivationProbe(net)
    optim = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    lossf = nn.CrossEntropyLoss()
    for it in range(450):
        pick = torch.randint(0, len(wav), (16,))
        optim.zero_grad(set_to_none=True)
        loss = lossf(net(wav[pick]), word[pick])
        loss.backward()
        optim.step()
        if it % 75 == 0:
            print(it, f"{loss.item():.4f}", probe.report())
    probe.close()
