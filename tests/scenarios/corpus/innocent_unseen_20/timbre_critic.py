# gradwatch-corpus: kind=none
"""Adversarial timbre synthesis: additive-synth generator against a critic with gradient
penalty; activations are tapped by hooks for a feature-matching term."""
import math
from contextlib import contextmanager

import torch
from torch import nn

SAMPLES = 96
PARTIALS = 8
LATENT = 6


class Taps:
    """Latest output of each tapped layer, as attributes: taps.low, taps.high."""

    def __init__(self, model, **layers):
        object.__setattr__(self, "_latest", {})
        object.__setattr__(self, "_on", False)
        for name, path in layers.items():
            model.get_submodule(path).register_forward_hook(self._make_hook(name))

    def _make_hook(self, name):
        def hook(module, args, output):
            if self._on:
                setattr(self, name, output)

        return hook

    def __setattr__(self, name, value):
        self._latest[name] = value

    def __getattr__(self, name):
        try:
            return self._latest[name]
        except KeyError:
            raise AttributeError(name) from None

    @contextmanager
    def listening(self):
        object.__setattr__(self, "_on", True)
        try:
            yield self
        finally:
            object.__setattr__(self, "_on", False)
            self._latest.clear()


class Synth(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(LATENT, 32), nn.LeakyReLU(0.2), nn.Linear(32, 2 * PARTIALS))
        t = torch.arange(SAMPLES) / SAMPLES
        k = torch.arange(1, PARTIALS + 1)
        self.register_buffer("bank", torch.cat([
            torch.sin(2 * math.pi * 2 * k[:, None] * t), torch.cos(2 * math.pi * 2 * k[:, None] * t)]))

    def forward(self, z):
        return self.net(z) @ self.bank


def make_critic():
    return nn.Sequential(
        nn.Conv1d(1, 10, 9, stride=3), nn.Tanh(),
        nn.Conv1d(10, 16, 5, stride=2), nn.Tanh(),
        nn.Flatten(), nn.LazyLinear(1),
    )


def recordings(n, gen):
    t = torch.arange(SAMPLES) / SAMPLES
    k = torch.arange(1, PARTIALS + 1)
    amp = (0.5 + torch.rand(n, 1, generator=gen)) / k ** (1.0 + torch.rand(n, 1, generator=gen))
    phase = 2 * math.pi * torch.rand(n, PARTIALS, 1, generator=gen)
    return (amp.unsqueeze(-1) * torch.sin(2 * math.pi * 2 * k[:, None] * t + phase)).sum(1)


def gradient_penalty(critic, real, fake):
    mix = torch.rand(real.shape[0], 1)
    point = (mix * real + (1 - mix) * fake).requires_grad_()
    slope, = torch.autograd.grad(critic(point.unsqueeze(1)).sum(), point, create_graph=True)
    return (slope.norm(dim=1) - 1.0).pow(2).mean()


class Duel:
    def __init__(self, synth, critic, taps, batch=16):
        self.synth, self.critic, self.taps, self.batch = synth, critic, taps, batch
        self.g_opt = torch.optim.Adam(synth.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.c_opt = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))

    def critic_turn(self, real):
        with torch.no_grad():
            fake = self.synth(torch.randn(self.batch, LATENT))
        gap = self.critic(fake.unsqueeze(1)).mean() - self.critic(real.unsqueeze(1)).mean()
        loss = gap + 5.0 * gradient_penalty(self.critic, real, fake)
        self.c_opt.zero_grad()
        loss.backward()
        self.c_opt.step()
        return gap.item()

    def _profile(self, audio):
        score = self.critic(audio.unsqueeze(1))
        return score, [self.taps.low.mean(0), self.taps.high.mean(0)]

    def synth_turn(self, real):
        self.critic.requires_grad_(False)
        with self.taps.listening():
            with torch.no_grad():
                _, wanted = self._profile(real)
            score, got = self._profile(self.synth(torch.randn(self.batch, LATENT)))
            matching = sum((a - b).pow(2).mean() for a, b in zip(got, wanted))
            loss = -score.mean() + matching
            self.g_opt.zero_grad()
            loss.backward()
            self.g_opt.step()
        self.critic.requires_grad_(True)
        return matching.item()


def main(rounds=220):
    torch.manual_seed(1209)
    gen = torch.Generator().manual_seed(48000)
    critic = make_critic()
    with torch.no_grad():
        critic(torch.zeros(2, 1, SAMPLES))
    duel = Duel(Synth(), critic, Taps(critic, low="1", high="3"))
    for r in range(rounds):
        gap = duel.critic_turn(recordings(16, gen))
        match = duel.synth_turn(recordings(16, gen))
        if r % 55 == 0:
            print(f"round {r:3d}  wasserstein gap {gap:+.4f}  feature distance {match:.4f}")


if __name__ == "__main__":
    main()
