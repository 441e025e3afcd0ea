# gradwatch-corpus: kind=graph-chain
# holder: self.mem | self.lif.mem | net.lif.mem | lif.mem | self.net.lif.mem
# first-bad: 1
"""Leaky integrate-and-fire classifier on synthetic event frames."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class FastSigmoid(torch.autograd.Function):
    slope = 10.0

    @staticmethod
    def forward(ctx, u):
        ctx.save_for_backward(u)
        return (u > 0).float()

    @staticmethod
    def backward(ctx, grad_out):
        (u,) = ctx.saved_tensors
        return grad_out / (FastSigmoid.slope * u.abs() + 1.0) ** 2


class LIF(nn.Module):
    def __init__(self, size, beta=0.9, threshold=1.0):
        super().__init__()
        self.size = size
        self.beta = beta
        self.threshold = threshold
        self.mem = None

    def reset(self, batch):
        self.mem = torch.zeros(batch, self.size)

    def forward(self, current):
        if self.mem is None or self.mem.size(0) != current.size(0):
            self.reset(current.size(0))
        charged = self.beta * self.mem + current
        spikes = FastSigmoid.apply(charged - self.threshold)
        self.mem = charged - spikes.detach() * self.threshold  # <- culprit
        return spikes


class SpikingNet(nn.Module):
    def __init__(self, n_in, n_hidden, n_out):
        super().__init__()
        self.fc_in = nn.Linear(n_in, n_hidden)
        self.lif = LIF(n_hidden)
        self.readout = nn.Linear(n_hidden, n_out)

    def forward(self, frames):
        counts = 0.0
        for t in range(frames.size(1)):
            counts = counts + self.lif(self.fc_in(frames[:, t]))
        return self.readout(counts / frames.size(1))


def event_frames(n, steps, n_in, n_class):
    labels = torch.randint(0, n_class, (n,))
    rates = torch.rand(n_class, n_in) * 0.6
    frames = (torch.rand(n, steps, n_in) < rates[labels].unsqueeze(1)).float()
    return TensorDataset(frames, labels)


class Experiment:
    def __init__(self, cfg):
        self.cfg = cfg
        data = event_frames(512, cfg.steps, 40, 5)
        self.loader = DataLoader(data, batch_size=32, shuffle=True, drop_last=True)
        self.net = SpikingNet(40, cfg.hidden, 5)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)

    def train_one_epoch(self):
        right, seen, loss_sum = 0, 0, 0.0
        for frames, labels in self.loader:
            logits = self.net(frames)
            loss = F.cross_entropy(logits, labels)
            self.opt.zero_grad()
            loss.backward(retain_graph=True)  # <- culprit
            self.opt.step()
            right += (logits.argmax(1) == labels).sum().item()
            loss_sum += loss.item() * len(labels)
            seen += len(labels)
        return loss_sum / seen, right / seen

    def run(self):
        for epoch in range(self.cfg.epochs):
            loss, acc = self.train_one_epoch()
            print(f"epoch {epoch} | loss {loss:.4f} | acc {acc:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--steps", type=int, default=6)
    ap.add_argument("--hidden", type=int, default=64)
    ap.add_argument("--lr", type=float, default=2e-3)
    torch.manual_seed(11)
    Experiment(ap.parse_args()).run()
