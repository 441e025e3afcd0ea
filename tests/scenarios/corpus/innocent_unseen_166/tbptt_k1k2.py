# gradwatch-corpus: kind=none
"""Truncated BPTT with different k1 and k2 (forum recipe), echo task."""
import argparse
import json
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class EchoRNN(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.cell = nn.RNNCell(1, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, state):
        state = self.cell(x, state)
        return self.out(state), state


class TBPTT:
    def __init__(self, net, k1, k2, lr):
        self.net, self.k1, self.k2, self.lr = net, k1, k2, lr
        self.retain_graph = k1 < k2

    def update(self):
        for p in self.net.parameters():
            p.data.add_(p.grad.data.clamp(-1, 1), alpha=-self.lr)

    def train(self, sequence, state):
        states = [(None, state)]
        pending, history = 0.0, []
        for j, (inp, target) in enumerate(sequence):
            state = states[-1][1].detach()
            state.requires_grad_()
            output, new_state = self.net(inp, state)
            states.append((state, new_state))
            while len(states) > self.k2:
                del states[0]
            if (j + 1) % self.k1:
                continue
            loss = F.mse_loss(output, target)
            self.net.zero_grad()
            loss.backward(retain_graph=self.retain_graph)
            for i in range(self.k2 - 1):
                if i + 2 > len(states) or states[-i - 2][0] is None:
                    break
                grad = states[-i - 1][0].grad
                states[-i - 2][0].grad = None
                states[-i - 2][1].backward(grad, retain_graph=self.retain_graph)
            self.update()
            history.append(loss.item())
        return history


def echo_stream(length, lag, batch, gen):
    x = torch.randint(0, 2, (length, batch, 1), generator=gen).float()
    y = torch.roll(x, lag, 0)
    return zip(x, y)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--k1", type=int, default=2)
    ap.add_argument("--k2", type=int, default=6)
    ap.add_argument("--hidden", type=int, default=16)
    ap.add_argument("--length", type=int, default=320)
    args = ap.parse_args()
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    net = EchoRNN(args.hidden)
    trainer = TBPTT(net, args.k1, args.k2, lr=0.05)
    history = trainer.train(echo_stream(args.length, 2, 16, gen), torch.zeros(16, args.hidden))
    for i in range(0, len(history), 40):
        part = history[i:i + 40]
        print(f"updates {i}-{i + len(part)} mse {sum(part) / len(part):.4f}")
    with tempfile.TemporaryDirectory() as d, open(os.path.join(d, "h.json"), "w") as f:
        json.dump(history, f)


if __name__ == "__main__":
    main()
