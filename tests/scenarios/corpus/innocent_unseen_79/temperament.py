# gradwatch-corpus: kind=none
"""Adaptive tuning: a retuner bends the pitches of chord progressions, a listener judges them.

The chord state runs on through the piece and is cut every few bars.
"""
import argparse
import itertools
from contextlib import ExitStack

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
CHORDS = torch.tensor([[0, 4, 7, 12], [5, 9, 12, 17], [7, 11, 14, 19], [9, 12, 16, 21], [2, 5, 9, 14]])


def progression(seed, voices):
    """Endless chords, as semitones above the tonic."""
    g = torch.Generator().manual_seed(seed)
    while True:
        yield CHORDS[torch.randint(0, len(CHORDS), (voices,), generator=g)].float()


def roughness(cents, harmonics=4):
    k = torch.arange(1, harmonics + 1, dtype=torch.float32)
    f = (torch.exp2(cents / 1200)[..., None] * k).flatten(-2)
    gap = (f[..., :, None] - f[..., None, :]).abs() * 20
    return (gap * torch.exp(-2.5 * gap)).mean(dim=(-1, -2))


class Retuner(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.dim = dim
        self.cell = nn.GRUCell(4, dim)
        self.bend = nn.Linear(dim, 4)

    def forward(self, chord, memory):
        memory = self.cell(chord / 12 - 1, memory)
        return 100 * chord + 30 * torch.tanh(self.bend(memory)), memory


class Listener(nn.Module):
    """Predicts how rough a chord will be heard."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 24)
        self.out = nn.Linear(24, 1)

    def forward(self, cents):
        return self.out(F.elu(self.inner(cents / 1200 - 0.7))).squeeze(-1)


class Tap:
    """Keeps what went through a layer, for whoever wants to look at it after the call."""

    def __init__(self):
        self.seen = {}

    def on(self, layer, name):
        def keep(_, __, out):
            self.seen[name] = out
        return layer.register_forward_hook(keep)


def train(args):
    torch.manual_seed(args.seed)
    retuner, listener, tap = Retuner(), Listener(), Tap()
    opt_r = torch.optim.Adam(retuner.parameters(), lr=2e-3)
    opt_l = torch.optim.Adam(listener.parameters(), lr=5e-3)
    memory = torch.zeros(args.voices, retuner.dim)
    bars = progression(args.seed, args.voices)
    history = {"rough": [], "heard": []}

    with ExitStack() as stack:
        stack.callback(tap.on(listener.inner, "inner").remove)
        stack.callback(tap.on(retuner.bend, "bend").remove)
        for phrase in range(args.phrases):
            memory = memory.detach()
            terms, critic_terms = [], []
            length = 2 + phrase // 60
            for chord in itertools.islice(bars, length):
                cents, memory = retuner(chord, memory)
                rough = roughness(cents)
                heard = listener(cents)
                drift = tap.seen["bend"].square().mean()
                terms.append(rough.mean() + 0.05 * heard.mean() + 0.01 * drift)
                critic_terms.append(F.mse_loss(heard, rough.detach()) + 1e-4 * tap.seen["inner"].square().mean())
            tuner_loss = torch.stack(terms).mean()
            critic_loss = torch.stack(critic_terms).mean()

            opt_r.zero_grad()
            opt_l.zero_grad()
            tuner_loss.backward(inputs=list(retuner.parameters()), retain_graph=True)
            critic_loss.backward(inputs=list(listener.parameters()))
            opt_r.step()
            opt_l.step()

            history["rough"].append(tuner_loss.detach())
            history["heard"].append(critic_loss.item())
            if phrase % 50 == 0:
                print(f"phrase {phrase:3d} ({length} bars) rough {tuner_loss.item():.4f} critic {critic_loss.item():.5f}")

    rough = torch.stack(history["rough"])
    print("roughness", rough[:20].mean().item(), "->", rough[-20:].mean().item())


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--phrases", type=int, default=240)
    p.add_argument("--voices", type=int, default=12)
    p.add_argument("--seed", type=int, default=440)
    train(p.parse_args())
