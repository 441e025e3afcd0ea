# gradwatch-corpus: kind=graph-held
# holder: self.records | probe.records
# first-bad: 1
"""Whale call classification; an activation probe reports dead units after training."""
import collections

import torch
from torch import nn


class ActivationProbe:
    """Collects pooled activations of chosen layers, for a sparsity report."""

    def __init__(self, model, kinds=(nn.ReLU,)):
        self.records = collections.defaultdict(list)
        self.handles = []
        for name, module in model.named_modules():
            if isinstance(module, kinds):
                self.handles.append(module.register_forward_hook(self._make_hook(name)))

    def _make_hook(self, name):
        def hook(module, inputs, output):
            if module.training:
                pooled = output.mean(dim=(0, 2))  # <- culprit
                self.records[name].append(pooled)  # <- culprit
        return hook

    def report(self):
        rows = []
        for name, values in self.records.items():
            stacked = torch.stack(values)
            dead = (stacked.abs() < 1e-6).float().mean().item()
            rows.append((name, stacked.mean().item(), dead))
        return rows

    def close(self):
        for handle in self.handles:
            handle.remove()
        self.handles.clear()


class CallNet(nn.Module):
    def __init__(self, n_species):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, 8, 9, stride=4, padding=4),
            nn.ReLU(),
            nn.Conv1d(8, 16, 5, stride=2, padding=2),
            nn.ReLU(),
            nn.Conv1d(16, 16, 3, padding=1),
            nn.ReLU(),
        )
        self.classifier = nn.Linear(16, n_species)

    def forward(self, wave):
        return self.classifier(self.features(wave).mean(-1))


def synth_calls(batch, n_species, length=256):
    t = torch.linspace(0, 1, length)
    species = torch.randint(0, n_species, (batch,))
    base = 6.0 + 8.0 * species.float().unsqueeze(1)
    chirp = torch.sin(2 * torch.pi * (base * t + 3 * t ** 2))
    return (chirp + 0.3 * torch.randn(batch, length)).unsqueeze(1), species


def main():
    torch.manual_seed(404)
    net = CallNet(n_species=4)
    probe = ActivationProbe(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    warmup = torch.optim.lr_scheduler.LinearLR(opt, start_factor=0.1, total_iters=20)
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.05)
    net.train()
    for i in range(130):
        wave, species = synth_calls(24, 4)
        logits = net(wave)
        loss = loss_fn(logits, species)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        warmup.step()
        if i % 26 == 0:
            acc = (logits.argmax(1) == species).float().mean().item()
            print(f"iter {i} loss {loss.item():.3f} acc {acc:.2f}")
    for name, mean, dead in probe.report():
        print(f"{name:12s} mean={mean:.4f} dead={dead:.3f}")
    probe.close()


if __name__ == "__main__":
    main()
