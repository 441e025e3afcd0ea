# gradwatch-corpus: kind=graph-chain
# holder: self.hidden | model.hidden
# first-bad: 1
# after: cnslab_fmri #4 "Trying to backward through the graph a second time ... if I use retain_graph=True, then OOM"
"""Decode task states (rest / motor / language) from parcellated BOLD signal with an LSTM.

Port of run_training_lstm.py (2018) to a current torch; the optimizer is the one of that repository.
"""
import argparse
import time

import torch
import torch.nn as nn

from net import BoldLSTM
from radam import RAdam


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument('--subjects', type=int, default=16)
    p.add_argument('--parcels', type=int, default=40)
    p.add_argument('--window', type=int, default=10)
    p.add_argument('--windows', type=int, default=24, help='windows per scan')
    p.add_argument('--epochs', type=int, default=3)
    p.add_argument('--lr', type=float, default=3e-3)
    return p.parse_args()


def fake_scans(args):
    """Each window of a scan is one state; a state mixes few latent networks."""
    g = torch.Generator().manual_seed(0)
    mixing = torch.randn(3, args.parcels, generator=g)
    state = torch.randint(0, 3, (args.subjects, args.windows), generator=g)
    onoff = torch.sin(torch.linspace(0, 6.28, args.window)).view(1, 1, -1, 1)
    signal = mixing[state].unsqueeze(2) * (0.5 + 0.5 * onoff)
    return signal + 0.8 * torch.randn(signal.shape, generator=g), state


def train(args):
    torch.manual_seed(1)
    bold, state = fake_scans(args)
    model = BoldLSTM(args.parcels, 32, 3)
    model.hidden = model.init_hidden(args.subjects)
    criterion = nn.CrossEntropyLoss()
    optimizer = RAdam(model.parameters(), lr=args.lr, weight_decay=1e-4)

    for epoch in range(args.epochs):
        t0 = time.time()
        running, correct = 0.0, 0
        for w in range(args.windows):
            x, y = bold[:, w], state[:, w]
            optimizer.zero_grad()
            out = model(x)
            loss = criterion(out, y)
            loss.backward(retain_graph=True)  # <- culprit
            optimizer.step()
            running += loss.item()
            correct += (out.argmax(1) == y).sum().item()
        print('epoch %d loss %.3f acc %.3f (%.1fs)' % (
            epoch, running / args.windows, correct / (args.windows * args.subjects), time.time() - t0))


if __name__ == '__main__':
    train(get_args())
