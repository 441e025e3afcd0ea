# gradwatch-corpus: kind=second-backward
# holder: self.carry | wm.carry | self.carry[1] | wm.carry[1] | c | state | state[1]
# first-bad: 12
# notice: 0
"""Recurrent world model trained online on a stream of pendulum chunks."""
import math

import torch

from rssm import WorldModel


class Pendulum:
    def __init__(self, n, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.th = torch.rand(n, generator=self.g) * 2 * math.pi
        self.om = torch.zeros(n)

    def chunk(self, length):
        obs, act, rew = [], [], []
        for _ in range(length):
            a = torch.rand(self.th.shape, generator=self.g) * 2 - 1
            obs.append(torch.stack([self.th.cos(), self.th.sin(), self.om / 8], -1))
            act.append(a[:, None])
            self.om = (self.om + 0.05 * (15 * torch.sin(self.th) / 2 + 3 * 2 * a)).clamp(-8, 8)
            self.th = self.th + 0.05 * self.om
            rew.append(-(1 - self.th.cos()) - 0.01 * a ** 2)
        return torch.stack(obs), torch.stack(act), torch.stack(rew)


def main(chunks=80, prefill=12, length=8):
    torch.set_num_threads(1)
    torch.manual_seed(17)
    env = Pendulum(12, seed=18)
    wm = WorldModel(obs_dim=3, act_dim=1, hidden=24, latent=6)
    optim = torch.optim.Adam(wm.parameters(), lr=3e-3, eps=1e-5)
    for i in range(chunks):
        # until the latents have settled every chunk starts from a blank state
        if i < prefill:
            wm.forget()
        obs, act, rew = env.chunk(length)
        losses = wm.learn_from(obs, act, rew)
        total = losses["recon"] + losses["reward"] + 0.1 * losses["kl"]
        optim.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(wm.parameters(), 10.0)
        optim.step()
        if i % 10 == 0:
            print(f"chunk {i:3d} " + " ".join(f"{k} {v.item():.3f}" for k, v in losses.items()))


if __name__ == "__main__":
    main()
