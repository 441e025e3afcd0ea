# gradwatch-corpus: kind=none
"""Small neural Turing machine on the copy task; learnable initial memory, state reset for each sequence."""
import argparse
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class NTM(nn.Module):
    def __init__(self, bits, slots=8, width=6, hidden=24):
        super().__init__()
        self.memory0 = nn.Parameter(0.1 * torch.randn(slots, width))
        self.h0 = nn.Parameter(torch.zeros(hidden))
        self.cell = nn.GRUCell(bits + 1 + width, hidden)
        self.key = nn.Linear(hidden, 2 * width + 2)
        self.erase_add = nn.Linear(hidden, 2 * width)
        self.out = nn.Linear(hidden + width, bits)
        self.width = width
        self.memory = self.h = self.read = None
        self.trace = []

    def reset(self, batch):
        self.memory = self.memory0.expand(batch, -1, -1)
        self.h = self.h0.expand(batch, -1)
        self.read = torch.zeros(batch, self.width)
        self.trace = []

    def address(self, key, beta):
        sim = F.cosine_similarity(self.memory, key.unsqueeze(1), dim=2)
        return F.softmax(F.softplus(beta) * sim, 1)

    def forward(self, x):
        self.h = self.cell(torch.cat([x, self.read], 1), self.h)
        kr, kw, beta = self.key(self.h).split([self.width, self.width, 2], 1)
        e, a = self.erase_add(self.h).chunk(2, 1)
        ww = self.address(kw, beta[:, :1])
        self.memory = self.memory * (1 - ww.unsqueeze(2) * torch.sigmoid(e).unsqueeze(1))
        self.memory = self.memory + ww.unsqueeze(2) * torch.tanh(a).unsqueeze(1)
        wr = self.address(kr, beta[:, 1:])
        self.trace.append(wr)
        self.read = (wr.unsqueeze(2) * self.memory).sum(1)
        return self.out(torch.cat([self.h, self.read], 1))

    def sharpness(self):
        w = torch.stack(self.trace)
        return -(w * (w + 1e-8).log()).sum(2).mean()


def copy_batch(n, length, bits, gen):
    seq = torch.randint(0, 2, (length, n, bits), generator=gen).float()
    x = torch.zeros(2 * length, n, bits + 1)
    x[:length, :, :bits] = seq
    x[length - 1, :, bits] = 1
    return x, seq


def run(model, x, seq):
    model.reset(x.shape[1])
    outs = [model(step) for step in x]
    logits = torch.stack(outs[len(seq):])
    return F.binary_cross_entropy_with_logits(logits, seq), logits


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--length", type=int, default=3)
    ap.add_argument("--bits", type=int, default=4)
    args = ap.parse_args()
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    model = NTM(args.bits)
    opt = torch.optim.RMSprop(model.parameters(), lr=3e-3, momentum=0.9)
    errors = []
    for step in range(args.steps):
        x, seq = copy_batch(16, args.length, args.bits, gen)
        bce, logits = run(model, x, seq)
        loss = bce + 0.01 * model.sharpness()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        errors.append(((logits > 0).float() != seq).float().mean().item())
        if step % 20 == 19:
            print(f"step {step + 1} bce {bce.item():.4f} bit errors {sum(errors[-20:]) / 20:.3f}")
    torch.save(model.state_dict(), os.path.join(tempfile.mkdtemp(), "ntm.pt"))


if __name__ == "__main__":
    main()
