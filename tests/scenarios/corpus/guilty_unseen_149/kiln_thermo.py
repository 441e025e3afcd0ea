# gradwatch-corpus: kind=graph-held
# holder: self.taps | probe.taps | self.taps[name] | probe.taps[name]
# first-bad: 1
# notice: 8
"""Kiln temperature curves -> crack risk, with a probe that reports dead channels."""
from collections import defaultdict

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(17)


class Probe:
    def __init__(self, model, kinds=(nn.ReLU,)):
        self.taps = defaultdict(list)
        self.handles = []
        for name, module in model.named_modules():
            if isinstance(module, kinds):
                self.handles.append(module.register_forward_hook(self._tap(name)))

    def _tap(self, name):
        def hook(module, args, out):
            self.taps[name].append(out)  # <- culprit
        return hook

    def dead_share(self, last=5):
        with torch.no_grad():
            return {n: (torch.cat(v[-last:]).amax(dim=(0, 2)) <= 0).float().mean().item() for n, v in self.taps.items()}

    def close(self):
        for handle in self.handles:
            handle.remove()


class CrackNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, 8, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(8, 16, 5, padding=2), nn.ReLU(),
        )
        self.risk = nn.Linear(16, 1)

    def forward(self, curve):
        return self.risk(self.features(curve).mean(-1)).squeeze(1)


def firings(n=480, length=40):
    ramp = torch.rand(n, 1) * 3 + 0.5
    t = torch.linspace(0, 1, length)[None]
    curve = torch.tanh(ramp * t) + 0.05 * torch.randn(n, length)
    return TensorDataset(curve[:, None], (ramp.squeeze(1) > 2.2).float())


def main():
    loader = DataLoader(firings(), batch_size=24, shuffle=True)
    model = CrackNet()
    probe = Probe(model)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    bce = nn.BCEWithLogitsLoss()
    for epoch in range(4):
        model.train()
        seen = 0.0
        for curve, cracked in loader:
            opt.zero_grad()
            loss = bce(model(curve), cracked)
            loss.backward()
            opt.step()
            seen += loss.item() * len(cracked)
        print(epoch, round(seen / len(loader.dataset), 4), probe.dead_share())
    probe.close()


if __name__ == "__main__":
    main()
