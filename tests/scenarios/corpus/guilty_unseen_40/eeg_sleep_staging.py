# gradwatch-corpus: kind=graph-held
# holder: self.records | probe.records | self.records[name] | probe.records[name]
# first-bad: 1
import argparse
from collections import defaultdict

import torch
from torch import nn, optim

STAGES = ["wake", "n1", "n2", "n3", "rem"]


class ActivationProbe:
    """with ActivationProbe(net, ["stem", "mix"]) as probe: ..."""

    def __init__(self, net, layer_names):
        self.net = net
        self.layer_names = layer_names
        self.records = defaultdict(list)
        self._handles = []

    def _make_hook(self, name):
        def grab(module, inputs, output):
            summary = output.flatten(1).std(dim=1)  # <- culprit
            self.records[name].append(summary)  # <- culprit
        return grab

    def __enter__(self):
        layers = dict(self.net.named_modules())
        for name in self.layer_names:
            handle = layers[name].register_forward_hook(self._make_hook(name))
            self._handles.append(handle)
        return self

    def __exit__(self, *exc):
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
        return False

    def spread(self, name):
        return torch.cat(self.records[name]).mean().item()


class SleepNet(nn.Module):
    def __init__(self, channels=4, width=16):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv1d(channels, width, 7, stride=2), nn.BatchNorm1d(width), nn.ReLU())
        self.mix = nn.Sequential(nn.Conv1d(width, width, 5, stride=2), nn.ReLU())
        self.classify = nn.Linear(width, len(STAGES))

    def forward(self, x):
        return self.classify(self.mix(self.stem(x)).amax(-1))


def epochs_of_night(n, length=120):
    """Fake 30 s scoring epochs, a dominant rhythm for each stage."""
    stage = torch.randint(0, len(STAGES), (n,))
    freq = torch.tensor([10.0, 7.0, 13.0, 2.0, 5.0])[stage]
    t = torch.linspace(0, 6.28, length)
    wave = torch.sin(freq[:, None] * t)[:, None, :]
    return wave + 0.5 * torch.randn(n, 4, length), stage


def train_one_night(net, opt, sched, n_batches, batch):
    seen, right = 0, 0
    for _ in range(n_batches):
        x, y = epochs_of_night(batch)
        logits = net(x)
        loss = nn.functional.cross_entropy(logits, y, label_smoothing=0.05)
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen += len(y)
        right += (logits.argmax(1) == y).sum().item()
    sched.step()
    return right / seen


def main(argv=None):
    cli = argparse.ArgumentParser()
    cli.add_argument("--nights", type=int, default=4)
    cli.add_argument("--batches", type=int, default=25)
    cli.add_argument("--batch-size", type=int, default=24)
    cli.add_argument("--watch", nargs="*", default=["stem", "mix"])
    a = cli.parse_args(argv)

    torch.manual_seed(7)
    net = SleepNet()
    opt = optim.Adam(net.parameters(), lr=2e-3)
    sched = optim.lr_scheduler.ExponentialLR(opt, 0.9)
    with ActivationProbe(net, a.watch) as probe:
        for night in range(a.nights):
            acc = train_one_night(net, opt, sched, a.batches, a.batch_size)
            print(f"night {night}: accuracy {acc:.3f}")
        for name in a.watch:
            print(f"  {name}: mean activation spread {probe.spread(name):.3f}")


if __name__ == "__main__":
    main()
