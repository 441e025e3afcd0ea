# gradwatch-corpus: kind=none
"""Polyphonic piano-roll model, truncated BPTT over two sub-chunks per update."""
import math
from dataclasses import dataclass

import torch
from torch import nn


def detach_nested(state):
    if isinstance(state, torch.Tensor):
        return state.detach()
    if isinstance(state, dict):
        return {k: detach_nested(v) for k, v in state.items()}
    return type(state)(detach_nested(s) for s in state)


@dataclass
class RollSpec:
    keys: int = 40
    voices: int = 16
    sub: int = 8
    subs_per_update: int = 2
    updates: int = 90
    reset_every: int = 30


def compose(spec, seed):
    g = torch.Generator().manual_seed(seed)
    length = spec.sub * spec.subs_per_update * spec.updates + 1
    root = torch.randint(0, spec.keys, (spec.voices,), generator=g)
    t = torch.arange(length)[:, None]
    melody = (root + (4 * torch.sin(t * math.pi / 8)).long()) % spec.keys
    roll = torch.zeros(length, spec.voices, spec.keys)
    for interval in (0, 4, 7):
        note = ((melody + interval) % spec.keys).unsqueeze(-1)
        roll.scatter_(2, note, 1.0)
    return roll


class RollModel(nn.Module):
    def __init__(self, keys, hidden=64):
        super().__init__()
        self.slow = nn.GRU(keys, hidden)
        self.fast = nn.LSTM(keys + hidden, hidden)
        self.out = nn.Linear(hidden, keys)

    def start(self, voices):
        size = self.slow.hidden_size
        zeros = torch.zeros(1, voices, size)
        return {"slow": zeros, "fast": (zeros.clone(), zeros.clone())}

    def forward(self, x, state):
        context, slow = self.slow(x, state["slow"])
        y, fast = self.fast(torch.cat([x, context], dim=-1), state["fast"])
        return self.out(y), {"slow": slow, "fast": fast}


class Composer:
    def __init__(self, spec):
        self.spec = spec
        self.model = RollModel(spec.keys)
        self.state = self.model.start(spec.voices)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        self.total = 0.0

    def update(self, segment):
        loss = 0
        inputs = segment[:-1].split(self.spec.sub)
        targets = segment[1:].split(self.spec.sub)
        for x, y in zip(inputs, targets):
            logits, self.state = self.model(x, self.state)
            loss = loss + nn.functional.binary_cross_entropy_with_logits(logits, y)
        loss = loss / len(inputs)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.state = detach_nested(self.state)
        self.total += loss.item()
        return loss


def main():
    torch.manual_seed(3)
    spec = RollSpec()
    roll = compose(spec, seed=3)
    composer = Composer(spec)
    span = spec.sub * spec.subs_per_update
    for u in range(spec.updates):
        if u and u % spec.reset_every == 0:
            composer.state = composer.model.start(spec.voices)
        segment = roll[u * span:(u + 1) * span + 1]
        loss = composer.update(segment)
        if u % 18 == 0:
            print(f"update {u} bce {loss:.4f} mean {composer.total / (u + 1):.4f}")


if __name__ == "__main__":
    main()
