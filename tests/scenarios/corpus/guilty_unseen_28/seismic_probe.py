# gradwatch-corpus: kind=graph-held
# holder: self.stats | monitor.stats
# first-bad: 1
# after: forum "Forward hook to log mean activation per layer - GPU memory increases each iteration"
"""P-wave arrival picking on synthetic traces, with activation statistics for the dead-unit report."""
import functools
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F

CFG = dict(trace_len=256, batch=24, steps=120, lr=1e-3, report_every=30, channels=(8, 16, 24))


class ActivationMonitor:
    """Collects simple statistics of the outputs of the given kinds of layers.

    with ActivationMonitor(net, (nn.Conv1d,)) as monitor:
        ...
        monitor.table()
    """

    def __init__(self, net, kinds):
        self.net = net
        self.kinds = kinds
        self.stats = defaultdict(lambda: {"mean": [], "dead": []})
        self._handles = []

    def __enter__(self):
        for name, mod in self.net.named_modules():
            if isinstance(mod, self.kinds):
                hook = functools.partial(self._record, name)
                self._handles.append(mod.register_forward_hook(hook))
        return self

    def __exit__(self, *exc):
        for h in self._handles:
            h.remove()
        self._handles.clear()

    def _record(self, name, mod, args, out):
        if not mod.training:
            return
        entry = self.stats[name]
        entry["mean"].append(out.abs().mean())  # <- culprit
        entry["dead"].append((out <= 0).float().mean().item())

    def table(self):
        for name, entry in self.stats.items():
            mean = torch.stack(entry["mean"][-20:]).mean()
            dead = sum(entry["dead"][-20:]) / len(entry["dead"][-20:])
            print(f"    {name:<12} |a|={float(mean):.3f} dead={dead:.2f}")


class Picker(nn.Module):
    """1-d encoder-decoder, gives the probability of the arrival for each sample."""

    def __init__(self, channels):
        super().__init__()
        c1, c2, c3 = channels
        self.down1 = nn.Conv1d(1, c1, 7, padding=3)
        self.down2 = nn.Conv1d(c1, c2, 7, padding=3, stride=4)
        self.mid = nn.Conv1d(c2, c3, 5, padding=2)
        self.up = nn.ConvTranspose1d(c3, c1, 4, stride=4)
        self.head = nn.Conv1d(2 * c1, 1, 5, padding=2)

    def forward(self, x):
        a = F.relu(self.down1(x))
        b = F.relu(self.mid(F.relu(self.down2(a))))
        return self.head(torch.cat([a, F.relu(self.up(b))], dim=1)).squeeze(1)


def traces(n, length, g):
    onset = torch.randint(length // 4, 3 * length // 4, (n,), generator=g)
    t = torch.arange(length).float()
    after = (t[None] - onset[:, None].float()).clamp(min=0)
    wave = torch.sin(0.6 * after) * torch.exp(-after / 30) * (after > 0)
    x = wave + 0.2 * torch.randn(n, length, generator=g)
    return x.unsqueeze(1), onset


def soft_label(onset, length, sigma=4.0):
    t = torch.arange(length).float()
    return torch.exp(-((t[None] - onset[:, None].float()) ** 2) / (2 * sigma ** 2))


@torch.no_grad()
def mean_error(net, x, onset):
    net.eval()
    err = (net(x).argmax(-1) - onset).abs().float().mean().item()
    net.train()
    return err


def main():
    torch.manual_seed(4)
    g = torch.Generator().manual_seed(4)
    net = Picker(CFG["channels"])
    opt = torch.optim.Adam(net.parameters(), lr=CFG["lr"])
    held_out = traces(64, CFG["trace_len"], g)
    with ActivationMonitor(net, (nn.Conv1d, nn.ConvTranspose1d)) as monitor:
        for step in range(1, CFG["steps"] + 1):
            x, onset = traces(CFG["batch"], CFG["trace_len"], g)
            loss = F.binary_cross_entropy_with_logits(net(x), soft_label(onset, CFG["trace_len"]))
            opt.zero_grad()
            loss.backward()
            opt.step()
            if step % CFG["report_every"] == 0:
                print(f"step {step} loss {loss.item():.4f} pick error {mean_error(net, *held_out):.1f} samples")
                monitor.table()


if __name__ == "__main__":
    main()
