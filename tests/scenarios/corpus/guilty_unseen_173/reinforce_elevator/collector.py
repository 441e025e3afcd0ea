from collections import namedtuple

import torch

Episode = namedtuple("Episode", "obs actions rewards")


class Collector:
    def __init__(self, env, policy):
        self.env, self.policy = env, policy

    def episodes(self, n):
        """Roll the current policy, one finished episode at a time."""
        with torch.no_grad():  # <- culprit
            for _ in range(n):
                obs, acts, rews = [], [], []
                state, done = self.env.reset(), False
                while not done:
                    x = torch.tensor(state)
                    action = self.policy(x).sample().item()
                    obs.append(x)
                    acts.append(action)
                    state, reward, done = self.env.step(action)
                    rews.append(reward)
                yield Episode(torch.stack(obs), torch.tensor(acts), torch.tensor(rews))  # <- culprit


def discounted(rewards, gamma=0.95):
    out, run = torch.zeros_like(rewards), 0.0
    for i in range(len(rewards) - 1, -1, -1):
        run = rewards[i].item() + gamma * run
        out[i] = run
    return out
