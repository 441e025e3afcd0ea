# gradwatch-corpus: kind=inplace-modified
# first-bad: 4
"""Recurrent base-velocity estimator for a quadruped, trained on vectorised
rollouts in which some robots fall and are reset."""
import torch
import torch.nn as nn

N_ENVS, HORIZON, D_OBS, D_HID = 16, 12, 10, 32


class FakeSim:
    """Proprioception of N robots; a robot falls when its tilt gets too large."""

    def __init__(self, n, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.mix = torch.randn(3, D_OBS, generator=self.g) * 0.5
        self.vel = torch.zeros(n, 3)
        self.tilt = torch.zeros(n)

    def step(self):
        n = len(self.tilt)
        self.vel = 0.9 * self.vel + 0.2 * torch.randn(n, 3, generator=self.g)
        self.tilt = self.tilt + 0.09 * torch.randn(n, generator=self.g)
        fell = self.tilt.abs() > LIMIT
        self.tilt[fell] = 0.0
        self.vel[fell] = 0.0
        obs = self.vel @ self.mix + 0.1 * torch.randn(n, D_OBS, generator=self.g)
        return obs, self.vel.clone(), fell

    def rollout(self, horizon):
        return [torch.stack(z) for z in zip(*(self.step() for _ in range(horizon)))]


LIMIT = 2.2


def reset_fallen(h, fell):
    if fell.any():
        h[fell] = 0.0  # <- culprit
    return h


class VelocityEstimator(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(D_OBS, D_HID)
        self.rec = nn.Linear(D_HID, D_HID)
        self.out = nn.Linear(D_HID, 3)

    def cell(self, obs, h):
        return torch.tanh(self.inp(obs) + self.rec(h))

    def forward(self, obs, fell, h):
        preds = []
        for o, f in zip(obs, fell):
            h = self.cell(o, h)
            preds.append(self.out(h))
            h = reset_fallen(h, f)  # <- culprit
        return torch.stack(preds), h


class EstimatorTrainer:
    def __init__(self, sim, model, lr=2e-3):
        self.sim, self.model = sim, model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.hidden = torch.zeros(N_ENVS, D_HID)
        self.falls = 0

    def step(self):
        obs, vel, fell = self.sim.rollout(HORIZON)
        self.falls += int(fell.sum())
        pred, h = self.model(obs, fell, self.hidden)
        self.hidden = h.detach().clone()
        loss = (pred - vel).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(2)
    trainer = EstimatorTrainer(FakeSim(N_ENVS), VelocityEstimator())
    for it in range(100):
        mse = trainer.step()
        print(f"iter {it:3d}  mse {mse:.4f}  falls {trainer.falls}", flush=True)
