# gradwatch-corpus: kind=graph-held
# holder: monitor.energy | self.energy | monitor.energy["1"]
# first-bad: 1
# notice: 8
"""Beat classifier for single-lead ECG; a monitor keeps mean activation energy per layer."""
import torch
import torch.nn as nn
from collections import defaultdict

torch.set_num_threads(1)


class ActivationMonitor:
    def __init__(self, model, kinds=(nn.ReLU, nn.GELU)):
        self.energy = defaultdict(float)
        self.calls = defaultdict(int)
        self.handles = []
        for name, mod in model.named_modules():
            if isinstance(mod, kinds):
                self.handles.append(mod.register_forward_hook(self._make_hook(name)))

    def _make_hook(self, name):
        def hook(module, inputs, output):
            if module.training:
                self.energy[name] = self.energy[name] + output.pow(2).mean()  # <- culprit
                self.calls[name] += 1
        return hook

    def report(self):
        return {k: float(v) / max(1, self.calls[k]) for k, v in self.energy.items()}

    def close(self):
        for h in self.handles:
            h.remove()


def beat(kind, n, width=40):
    t = torch.linspace(-1, 1, width)
    qrs = torch.exp(-(t / 0.05) ** 2)
    wide = torch.exp(-(t / 0.18) ** 2)
    p_wave = 0.25 * torch.exp(-((t + 0.4) / 0.08) ** 2)
    shape = [qrs + p_wave, wide, qrs][kind]
    return shape + 0.15 * torch.randn(n, width)


def draw(n_each=8):
    xs = torch.cat([beat(k, n_each) for k in range(3)])
    ys = torch.arange(3).repeat_interleave(n_each)
    order = torch.randperm(len(ys))
    return xs[order].unsqueeze(1), ys[order]


def build():
    return nn.Sequential(
        nn.Conv1d(1, 6, 7, stride=2), nn.ReLU(),
        nn.Conv1d(6, 8, 5, stride=2), nn.GELU(),
        nn.Flatten(), nn.Linear(8 * 7, 16), nn.ReLU(),
        nn.Linear(16, 3))


def evaluate(model):
    model.eval()
    with torch.no_grad():
        x, y = draw(20)
        acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


if __name__ == "__main__":
    torch.manual_seed(42)
    model = build()
    monitor = ActivationMonitor(model)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 450)
    ce = nn.CrossEntropyLoss(label_smoothing=0.05)
    for step in range(450):
        x, y = draw()
        loss = ce(model(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 90 == 89:
            print(step, "acc", round(evaluate(model), 3), {k: round(v, 3) for k, v in monitor.report().items()})
    monitor.close()
