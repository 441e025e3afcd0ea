# gradwatch-corpus: kind=none
import torch
from torch import nn


class ActivationProbe:
    """Collects layer outputs through forward hooks until the next report."""

    def __init__(self, model, kinds=(nn.ReLU, nn.GELU)):
        self.records = {}
        self.handles = []
        for name, module in model.named_modules():
            if isinstance(module, kinds):
                self.records[name] = []
                self.handles.append(module.register_forward_hook(self._hook(name)))

    def _hook(self, name):
        def hook(module, inputs, output):
            self.records[name].append(output)
        return hook

    def report(self):
        lines = []
        for name, outs in self.records.items():
            stacked = torch.cat([o.flatten(1) for o in outs])
            dead = (stacked <= 0).all(0).float().mean().item()
            lines.append(f"{name}: mean {stacked.mean().item():.3f} dead {dead:.2%}")
            outs.clear()
        return "; ".join(lines)

    def remove(self):
        for h in self.handles:
            h.remove()


def build():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 12, 3, padding=1),
        nn.GELU(),
        nn.AdaptiveAvgPool2d(2),
        nn.Flatten(),
        nn.Linear(48, 24),
        nn.ReLU(),
        nn.Linear(24, 4),
    )


def leaves(n, gen):
    y = torch.randint(0, 4, (n,), generator=gen)
    img = 0.3 * torch.randn(n, 3, 12, 12, generator=gen)
    rows = torch.arange(12).float()
    for c in range(4):
        pattern = torch.sin(rows * (0.4 + 0.5 * c))
        img[y == c, c % 3] += pattern[None, :, None] * (1 if c < 3 else pattern[None, None, :])
    return img, y


def main():
    torch.manual_seed(41)
    gen = torch.Generator().manual_seed(41)
    model = build()
    probe = ActivationProbe(model)
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, 150, 0.5)
    correct = seen = 0
    for step in range(1, 421):
        x, y = leaves(16, gen)
        logits = model(x)
        loss = nn.functional.cross_entropy(logits, y, label_smoothing=0.05)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        correct += (logits.argmax(1) == y).sum().item()
        seen += len(y)
        if step % 60 == 0:
            print(f"step {step} acc {correct / seen:.3f} | {probe.report()}")
            correct = seen = 0
    probe.remove()


if __name__ == "__main__":
    main()
