# gradwatch-corpus: kind=none
"""Streaming frame-level phone recogniser (GRU), truncated BPTT over chunked utterances.

Frames arrive in small hops; losses are gathered over a window of `k2` hops before one
backward pass, and the hidden state goes through the boundary as a constant
(Williams & Peng 1990, the BPTT(h; h') variant with h = h').
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

CFG = {
    "n_phones": 8, "n_mels": 12, "hidden": 32, "hop": 4, "k2": 3, "streams": 8,
    "windows": 300, "lr": 4e-3, "clip": 1.0, "seed": 77, "report_every": 60,
}


class PhoneStream:
    """Endless sticky Markov chain of phones, each a noisy spectral template."""

    def __init__(self, cfg):
        self.cfg = cfg
        P, M = cfg["n_phones"], cfg["n_mels"]
        grid = torch.arange(M).float()
        centers = torch.rand(P, 2) * M
        self.templates = torch.exp(-(grid - centers[:, :1]) ** 2 / 4) + torch.exp(-(grid - centers[:, 1:]) ** 2 / 9)
        self.phone = torch.randint(0, P, (cfg["streams"],))
        self.gain = torch.ones(cfg["streams"], 1)

    def next_hop(self):
        frames, labels, ends = [], [], torch.zeros(self.cfg["streams"], dtype=torch.bool)
        for _ in range(self.cfg["hop"]):
            jump = torch.rand_like(self.phone, dtype=torch.float) < 0.25
            self.phone = torch.where(jump, torch.randint_like(self.phone, 0, self.cfg["n_phones"]), self.phone)
            frames.append(self.gain * self.templates[self.phone] + 0.35 * torch.randn(self.cfg["streams"], self.cfg["n_mels"]))
            labels.append(self.phone)
        ends |= torch.rand(self.cfg["streams"]) < 0.03
        self.gain = torch.where(ends[:, None], 0.6 + 0.8 * torch.rand_like(self.gain), self.gain)
        return torch.stack(frames), torch.stack(labels), ends


class Recogniser(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.front = nn.Linear(cfg["n_mels"], cfg["hidden"])
        self.rnn = nn.GRU(cfg["hidden"], cfg["hidden"])
        self.top = nn.Linear(cfg["hidden"], cfg["n_phones"])

    def forward(self, frames, state):
        out, state = self.rnn(torch.tanh(self.front(frames)), state)
        return self.top(out), state


def repackage_hidden(h):
    """Wraps hidden states in new tensors, to detach them from their history."""
    if h is None:
        return None
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


def main(cfg=CFG):
    torch.manual_seed(cfg["seed"])
    torch.set_num_threads(1)
    stream, model = PhoneStream(cfg), Recogniser(cfg)
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    state = torch.zeros(1, cfg["streams"], cfg["hidden"])
    pending, confusions, bits, per_window = [], torch.zeros(cfg["n_phones"], cfg["n_phones"]), 0.0, []

    hops = cfg["windows"] * cfg["k2"]
    for hop in range(1, hops + 1):
        frames, labels, ends = stream.next_hop()
        logits, state = model(frames, state)
        pending.append(F.cross_entropy(logits.flatten(0, 1), labels.flatten()))
        pred = logits.argmax(-1)
        confusions.index_put_((labels.flatten(), pred.flatten()), torch.ones(()), accumulate=True)
        state = state * (~ends).float()[None, :, None]

        if hop % cfg["k2"] == 0:
            loss = sum(pending) / len(pending)
            opt.zero_grad()
            loss.backward()
            gnorm = nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
            opt.step()
            state = repackage_hidden(state)
            pending = []
            bits += loss.item() / math.log(2)
            per_window.append((loss.detach(), gnorm))

            n = hop // cfg["k2"]
            if n % cfg["report_every"] == 0:
                acc = confusions.diag().sum() / confusions.sum()
                recent = per_window[-cfg["report_every"]:]
                print(f"window {n:4d}  ce {torch.stack([l for l, _ in recent]).mean().item():.3f}  "
                      f"|g| {torch.stack([g for _, g in recent]).mean().item():.2f}  "
                      f"bits {bits / n:.3f}  frame acc {acc.item():.3f}")
                confusions.zero_()


if __name__ == "__main__":
    main()
