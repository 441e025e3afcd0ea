# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Learn transition and emission tables of an HMM over binned histone marks by gradient ascent on the scaled forward pass."""
import argparse

import torch
import torch.nn as nn


class MarkSimulator:
    """Regions of 4 hidden states, each state lighting up some of the 6 marks."""

    def __init__(self, n_states=4, n_marks=6, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.n_states = n_states
        self.emit = torch.rand(n_states, n_marks, generator=self.gen) ** 2
        trans = torch.full((n_states, n_states), 0.03)
        trans.fill_diagonal_(1.0)
        self.trans = trans / trans.sum(1, keepdim=True)

    def sample(self, batch, length):
        z = torch.randint(self.n_states, (batch,), generator=self.gen)
        out = []
        for _ in range(length):
            out.append(torch.bernoulli(self.emit[z], generator=self.gen))
            z = torch.multinomial(self.trans[z], 1, generator=self.gen).squeeze(1)
        return torch.stack(out, 1)


class ChromatinHMM(nn.Module):
    def __init__(self, n_states, n_marks):
        super().__init__()
        self.start_logits = nn.Parameter(torch.zeros(n_states))
        self.trans_logits = nn.Parameter(2 * torch.eye(n_states) + 0.1 * torch.randn(n_states, n_states))
        self.emit_logits = nn.Parameter(0.5 * torch.randn(n_states, n_marks))

    def emission_prob(self, marks):
        p = torch.sigmoid(self.emit_logits).clamp(1e-4, 1 - 1e-4)
        x = marks.unsqueeze(2)
        return (x * p.log() + (1 - x) * (1 - p).log()).sum(-1).exp()

    def forward(self, marks):
        batch, length, _ = marks.shape
        emis = self.emission_prob(marks)
        trans = self.trans_logits.softmax(-1)
        alpha = marks.new_zeros(length, batch, trans.shape[0])
        scale = []
        first = self.start_logits.softmax(-1) * emis[:, 0]
        norm = first.sum(-1, keepdim=True)
        alpha[0] = first / norm
        scale.append(norm.log())
        for t in range(1, length):
            step = (alpha[t - 1] @ trans) * emis[:, t]
            norm = step.sum(-1, keepdim=True)
            alpha[t] = step / norm  # <- culprit
            scale.append(norm.log())
        return torch.cat(scale, 1).sum(1), alpha


def segment_length(alpha):
    path = alpha.argmax(-1)
    changes = (path[1:] != path[:-1]).float().mean()
    return 1.0 / max(changes.item(), 1e-6)


class EarlyStop:
    def __init__(self, patience):
        self.best, self.bad, self.patience = float("inf"), 0, patience

    def __call__(self, value):
        if value < self.best - 1e-3:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad >= self.patience


def run(args):
    torch.manual_seed(args.seed)
    sim = MarkSimulator(seed=args.seed)
    heldout = sim.sample(32, args.bins)
    hmm = ChromatinHMM(4, 6)
    opt = torch.optim.Adam(hmm.parameters(), lr=0.02)
    stop = EarlyStop(patience=8)
    for it in range(args.iters):
        marks = sim.sample(args.batch, args.bins)
        loglik, alpha = hmm(marks)
        loss = -loglik.mean() / args.bins
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 25 == 0:
            with torch.no_grad():
                val, a = hmm(heldout)
            val = -val.mean().item() / args.bins
            print(f"it {it:4d} nll/bin {loss.item():.4f} heldout {val:.4f} seg {segment_length(a):.1f}")
            if stop(val):
                break


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--iters", type=int, default=500)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--bins", type=int, default=40)
    parser.add_argument("--seed", type=int, default=4)
    run(parser.parse_args())
