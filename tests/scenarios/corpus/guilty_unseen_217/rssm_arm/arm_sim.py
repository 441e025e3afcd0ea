from dataclasses import dataclass

import torch


@dataclass
class Chunk:
    obs: torch.Tensor
    act: torch.Tensor
    first: bool


class ArmRollouts:
    """Simple damped joints under random torques; episodes span many chunks."""

    def __init__(self, n_arms, joints, dt=0.05):
        self.q = torch.zeros(n_arms, joints)
        self.v = torch.zeros(n_arms, joints)
        self.dt = dt

    def _step(self, tau):
        self.v = self.v + self.dt * (tau - 0.5 * self.v - torch.sin(self.q))
        self.q = self.q + self.dt * self.v
        return torch.cat([torch.sin(self.q), self.v], -1)

    def chunks(self, n, horizon, episode=25):
        for k in range(n):
            first = k % episode == 0
            if first:
                self.q.zero_()
                self.v.zero_()
            obs, act = [torch.cat([torch.sin(self.q), self.v], -1)], []
            for _ in range(horizon):
                act.append(torch.randn_like(self.q) * 2)
                obs.append(self._step(act[-1]))
            yield Chunk(torch.stack(obs), torch.stack(act), first)
