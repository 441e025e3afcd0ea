# gradwatch-corpus: kind=graph-held
# holder: self.trace[name] | self.trace | monitor.trace | monitor.trace[name]
# first-bad: 1
"""Keyword spotting on synthetic log-mel clips, with an activation monitor."""
import argparse
from collections import defaultdict

import torch
from torch import nn


class ActivationMonitor:
    def __init__(self, model, types=(nn.ReLU, nn.GELU)):
        self.trace = defaultdict(list)
        self.handles = []
        for name, module in model.named_modules():
            if isinstance(module, types):
                self.handles.append(module.register_forward_hook(self._hook_for(name)))

    def _hook_for(self, name):
        def hook(module, inputs, output):
            self.trace[name].append(output.abs().mean())  # <- culprit

        return hook

    def report(self, last=50):
        parts = []
        for name, series in self.trace.items():
            mean = sum(v.item() for v in series[-last:]) / len(series[-last:])
            parts.append(f"{name}={mean:.3f}")
        return " ".join(parts)

    def close(self):
        for handle in self.handles:
            handle.remove()


class KeywordNet(nn.Module):
    def __init__(self, n_mels=16, width=12, n_words=4):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(n_mels, width, 5, padding=2), nn.ReLU(),
            nn.Conv1d(width, width, 3, stride=2, padding=1), nn.GELU(),
        )
        self.out = nn.Linear(width, n_words)

    def forward(self, mel):
        return self.out(self.conv(mel).mean(-1))


def synth_batch(gen, templates, batch):
    label = torch.randint(0, templates.size(0), (batch,), generator=gen)
    clip = templates[label] + 0.7 * torch.randn(batch, *templates.shape[1:], generator=gen)
    shift = int(torch.randint(-3, 4, (1,), generator=gen))
    return clip.roll(shift, -1), label


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--lr", type=float, default=0.02)
    args = parser.parse_args()

    torch.manual_seed(11)
    gen = torch.Generator().manual_seed(12)
    templates = torch.randn(4, 16, 24, generator=gen)
    model = KeywordNet()
    monitor = ActivationMonitor(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    correct = seen = 0
    for step in range(1, args.steps + 1):
        mel, label = synth_batch(gen, templates, args.batch)
        logits = model(mel)
        loss = criterion(logits, label)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        correct += (logits.argmax(-1) == label).sum().item()
        seen += label.numel()
        if step % 150 == 0:
            print(f"step {step} loss {loss.item():.4f} acc {correct / seen:.3f} | {monitor.report()}")
            correct = seen = 0
    monitor.close()


if __name__ == "__main__":
    main()
