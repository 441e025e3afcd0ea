import torch


class CraneField:
    def __init__(self, cranes, state, actions):
        self.cranes, self.size = cranes, state
        self.drift = 0.9 * torch.linalg.qr(torch.randn(state, state))[0]
        self.push = 0.4 * torch.randn(actions, state)

    def reset(self):
        return torch.randn(self.cranes, self.size)

    def step(self, state, action):
        following = state @ self.drift + self.push[action] + 0.1 * torch.randn_like(state)
        reward = -following[:, :4].abs().mean(1)
        return following, reward
