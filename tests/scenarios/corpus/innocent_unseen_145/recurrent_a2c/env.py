import torch


class RecallEnv:
    """Show a bit, wait, ask for it."""

    def __init__(self, num_envs, delay):
        self.n, self.delay = num_envs, delay

    def reset(self):
        self.bit = torch.randint(0, 2, (self.n,))
        self.t = 0
        return self._obs()

    def _obs(self):
        show = torch.nn.functional.one_hot(self.bit, 2).float() * float(self.t == 0)
        ask = torch.full((self.n, 1), float(self.t == self.delay))
        return torch.cat([show, ask], 1)

    def step(self, action):
        asked = self.t == self.delay
        reward = (action == self.bit).float() * asked
        self.t += 1
        if asked:
            return self.reset(), reward, torch.ones(self.n)
        return self._obs(), reward, torch.zeros(self.n)
