# gradwatch-corpus: kind=graph-held
# holder: self.acts | recorder.acts
# first-bad: 1
import torch
from torch import nn


class ActivationRecorder:
    def __init__(self, model, every=50):
        self.every = every
        self.acts = {}
        for name, module in model.named_children():
            if isinstance(module, nn.Linear):
                module.register_forward_hook(self.make_hook(name))

    def make_hook(self, name):
        def hook(module, args, output):
            self.acts.setdefault(name, []).append(output)  # <- culprit
        return hook

    def report(self, step):
        if (step + 1) % self.every:
            return
        parts = []
        for name, acts in self.acts.items():
            recent = torch.cat(acts[-self.every:])
            parts.append(f"{name} {recent.mean().item():+.3f}/{recent.std().item():.3f}")
            acts = []  # <- culprit
        print(f"[{step}] " + " ".join(parts))


class SensorMixer(nn.Module):
    """Forecasts flow of each sensor on a ring road from its history."""

    def __init__(self, history=12, sensors=10):
        super().__init__()
        self.temporal = nn.Linear(history, 16)
        self.spatial = nn.Linear(sensors, sensors)
        self.readout = nn.Linear(16, 1)

    def forward(self, x):
        h = torch.relu(self.temporal(x))
        h = h + torch.tanh(self.spatial(h.transpose(1, 2))).transpose(1, 2)
        return self.readout(h).squeeze(-1)


def flows(gen, hours=600, sensors=10):
    t = torch.arange(hours).float()[:, None]
    phase = torch.arange(sensors).float()[None] * 0.4
    base = torch.sin(2 * torch.pi * t / 24 - phase) + 0.4 * torch.sin(4 * torch.pi * t / 24)
    return base + 0.1 * torch.randn(hours, sensors, generator=gen)


def window_batch(series, gen, history=12, n=16):
    start = torch.randint(0, len(series) - history - 1, (n,), generator=gen)
    idx = start[:, None] + torch.arange(history)
    return series[idx].transpose(1, 2), series[start + history]


def main():
    torch.manual_seed(93)
    gen = torch.Generator().manual_seed(93)
    series = flows(gen)
    model = SensorMixer()
    recorder = ActivationRecorder(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for step in range(450):
        x, y = window_batch(series, gen)
        loss = nn.functional.l1_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        recorder.report(step)
    print("final", loss.item())


if __name__ == "__main__":
    main()
