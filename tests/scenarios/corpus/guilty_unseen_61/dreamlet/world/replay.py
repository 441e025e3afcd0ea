"""Recorded episodes of a noisy linear system."""
import torch


class EpisodeStore:
    def __init__(self, n_episodes, length, obs_dim, act_dim):
        a = 0.9 * torch.linalg.qr(torch.randn(obs_dim, obs_dim))[0]
        b = 0.3 * torch.randn(act_dim, obs_dim)
        obs, self.action = [torch.randn(n_episodes, obs_dim)], torch.randn(n_episodes, length, act_dim)
        for t in range(length - 1):
            obs.append(obs[-1] @ a + self.action[:, t] @ b + 0.02 * torch.randn(n_episodes, obs_dim))
        self.obs = torch.stack(obs, 1)
        self.reward = -self.obs[..., :2].pow(2).sum(-1)

    def sample(self, n):
        i = torch.randint(self.obs.size(0), (n,))
        return self.obs[i], self.action[i], self.reward[i]
