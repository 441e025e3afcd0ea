# gradwatch-corpus: kind=graph-held
# holder: self.scales[name] | meter.scales[name] | self.scales | meter.scales
# first-bad: 1
import functools
from collections import defaultdict

import torch
import torch.nn as nn


class PushEnv:
    """A puck pushed around on a table; observations are 24 noisy range readings."""

    def __init__(self, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.proj = torch.randn(4, 24, generator=self.g)

    def rollout(self, batch, horizon):
        s = torch.randn(batch, 4, generator=self.g)
        obs, act = [], []
        for _ in range(horizon):
            a = torch.randn(batch, 2, generator=self.g)
            s = torch.cat([s[:, :2] + 0.1 * s[:, 2:], 0.9 * s[:, 2:] + 0.2 * a], dim=1)
            reading = torch.tanh(s @ self.proj)
            obs.append(reading + 0.02 * torch.randn(reading.shape, generator=self.g))
            act.append(a)
        return torch.stack(obs), torch.stack(act)


class Residual(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.net = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.SiLU(), nn.Linear(2 * d, d))

    def forward(self, x):
        return x + self.net(x)


class LatentModel(nn.Module):
    def __init__(self, d_obs, d_act, d=48):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(d_obs, d), Residual(d))
        self.transition = nn.Sequential(nn.Linear(d + d_act, d), Residual(d), Residual(d))
        self.decoder = nn.Sequential(Residual(d), nn.Linear(d, d_obs))

    def imagine(self, first, actions):
        z = self.encoder(first)
        for a in actions:
            z = self.transition(torch.cat([z, a], dim=-1))
            yield z

    def forward(self, obs, act):
        latents = torch.stack(list(self.imagine(obs[0], act[1:])))
        return self.decoder(latents), latents


class MeterMixin:
    def attach(self, model, kinds):
        self.scales = defaultdict(list)
        self._handles = []
        for name, module in model.named_modules():
            if isinstance(module, kinds):
                hook = functools.partial(self._on_forward, name)
                self._handles.append(module.register_forward_hook(hook))

    def _on_forward(self, name, module, inputs, output):
        if module.training:
            self.scales[name].append(output.std())  # <- culprit

    def drift(self, name, span=20):
        xs = [v.item() for v in self.scales[name]]
        return sum(xs[-span:]) / max(sum(xs[:span]), 1e-9)

    def close(self):
        for h in self._handles:
            h.remove()


class ScaleMeter(MeterMixin):
    def __init__(self, model):
        self.attach(model, (Residual,))

    def __str__(self):
        return ", ".join(f"{n} x{self.drift(n):.2f}" for n in sorted(self.scales))


def evaluate(model, env):
    model.eval()
    with torch.no_grad():
        obs, act = env.rollout(64, 6)
        pred, _ = model(obs, act)
        err = (pred - obs[1:]).abs().mean().item()
    model.train()
    return err


def main():
    torch.manual_seed(1)
    env = PushEnv()
    model = LatentModel(24, 2)
    meter = ScaleMeter(model)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=200)
    for it in range(200):
        obs, act = env.rollout(32, 6)
        pred, latents = model(obs, act)
        loss = (pred - obs[1:]).square().mean() + 1e-4 * latents.square().mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        opt.step()
        sched.step()
        if it % 50 == 49:
            print(f"{it + 1}: loss {loss.item():.4f} eval {evaluate(model, env):.4f} | {meter}")
    meter.close()


if __name__ == "__main__":
    main()
