# gradwatch-corpus: kind=none
"""Speech enhancement RNN trained with truncated BPTT; the chunks inside one window share a graph."""
import argparse

import torch
import torch.nn as nn


class MaskNet(nn.Module):
    def __init__(self, bins=24, hid=32):
        super().__init__()
        self.lstm = nn.LSTM(bins, hid, batch_first=True)
        self.mask = nn.Linear(hid, bins)
        self.state = None

    def reset(self):
        self.state = None

    def truncate(self):
        if self.state is not None:
            self.state = tuple(s.detach() for s in self.state)

    def forward(self, spec):
        y, self.state = self.lstm(spec, self.state)
        return spec * torch.sigmoid(self.mask(y))


def utterance(batch, frames, bins):
    clean = torch.sin(torch.linspace(0, 20, frames))[None, :, None].abs() * torch.rand(batch, 1, bins)
    return clean + 0.3 * torch.rand(batch, frames, bins), clean


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--utts", type=int, default=12)
    ap.add_argument("--chunk", type=int, default=5)
    ap.add_argument("--window", type=int, default=2, help="chunks per backward")
    args = ap.parse_args()
    torch.manual_seed(4)
    torch.set_num_threads(1)
    net = MaskNet()
    opt = torch.optim.Adam(net.parameters(), 2e-3)
    history = []
    for u in range(args.utts):
        noisy, clean = utterance(6, 100, 24)
        net.reset()
        pending, running = [], 0.0
        for c, (n, t) in enumerate(zip(noisy.split(args.chunk, 1), clean.split(args.chunk, 1))):
            pending.append((net(n) - t).pow(2).mean())
            if len(pending) == args.window:
                loss = sum(pending) / len(pending)
                opt.zero_grad()
                loss.backward()
                opt.step()
                running += loss.item()
                pending.clear()
                net.truncate()
        history.append(running)
        print(f"utt {u} loss {running:.4f}")


if __name__ == "__main__":
    main()
