# gradwatch-corpus: kind=graph-held
# holder: calls | wrapper.calls | classify.calls | steps.classify.calls
# first-bad: 1
# notice: 8
"""Leaf disease classifier on toy spectra."""
import torch
from torch import nn

from instrument import report
from steps import classify

torch.set_num_threads(1)
torch.manual_seed(5)


def spectra(n):
    y = torch.randint(0, 4, (n,))
    grid = torch.linspace(0, 1, 32)
    x = torch.sin((y[:, None] + 1) * 6.0 * grid) + 0.6 * torch.randn(n, 32)
    return x, y


def main():
    net = nn.Sequential(nn.Unflatten(1, (1, 32)), nn.Conv1d(1, 6, 5), nn.ReLU(), nn.AvgPool1d(4), nn.Flatten(), nn.Linear(42, 4))
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for step in range(120):
        x, y = spectra(32)
        loss, acc = classify(net, x, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 30 == 29:
            print(step, f"acc {acc:.2f}", report(classify))


if __name__ == "__main__":
    main()
