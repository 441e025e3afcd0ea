# gradwatch-corpus: kind=none
"""Pulse wave artefact filter for a wearable; activation statistics via hooks."""
import torch
from torch import nn

from probes import ActivationProbe
from signals import stream


class Filter(nn.Module):
    def __init__(self, c=10):
        super().__init__()
        self.a = nn.Conv1d(1, c, 7, padding=3)
        self.b = nn.Conv1d(c, c, 7, padding=3)
        self.o = nn.Conv1d(c, 1, 1)

    def forward(self, x):
        return self.o(torch.relu(self.b(torch.relu(self.a(x)))))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(50)
    net = Filter()
    probe = ActivationProbe(net, ("a", "b"))
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    best, best_state = float("inf"), None
    previous = None
    for step, (x, y) in enumerate(stream(100)):
        est = net(x)
        loss = nn.functional.mse_loss(est, y) + 1e-3 * probe.sparsity()
        opt.zero_grad()
        loss.backward()
        opt.step()
        delta = 0.0 if previous is None else (loss - previous).item()
        previous = loss
        if loss.item() < best:
            best = loss.item()
            best_state = {k: v.clone() for k, v in net.state_dict().items()}
        if step % 20 == 0:
            print(f"{step} loss {loss.item():.4f} ({delta:+.4f}) means {probe.summary()}")
    net.load_state_dict(best_state)


if __name__ == "__main__":
    main()
