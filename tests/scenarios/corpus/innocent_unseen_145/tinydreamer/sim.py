import torch


class Hover:
    """Keep a 1-D mass near zero."""

    def rollout(self, policy, steps=16):
        x = torch.tensor([torch.rand(()).item() * 2 - 1, 0.0])
        obs, act, rew = [], [], []
        for _ in range(steps):
            with torch.no_grad():
                a = policy(x).clamp(-1, 1).view(1)
            obs.append(x)
            act.append(a)
            rew.append(-(x[0] ** 2))
            v = x[1] + 0.2 * a[0]
            x = torch.stack([x[0] + 0.2 * v, v])
        return {"obs": torch.stack(obs), "act": torch.stack(act), "rew": torch.stack(rew)}
