# gradwatch-corpus: kind=none
"""Policy gradient on a corridor: log probabilities of an episode pile up until it ends."""
import threading
from queue import Queue

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)


class Writer(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.inbox = Queue()
        self.rows = []

    def run(self):
        while (row := self.inbox.get()) is not None:
            self.rows.append(row)
            if len(self.rows) % 30 == 0:
                print("episode %d return %.2f baseline %.2f" % row)


class Episode:
    def __init__(self):
        self.log_probs, self.rewards, self.entropies = [], [], []

    def returns(self, gamma=0.95):
        out, g = [], 0.0
        for r in reversed(self.rewards):
            out.append(g := r + gamma * g)
        return torch.tensor(out[::-1])

    def clear(self):
        for store in vars(self).values():
            store.clear()


def play(policy, episode, length=6, limit=20):
    pos = 0
    for _ in range(limit):
        dist = Categorical(logits=policy(torch.eye(length)[pos]))
        a = dist.sample()
        episode.log_probs.append(dist.log_prob(a))
        episode.entropies.append(dist.entropy())
        pos = max(0, pos + (1 if a.item() else -1))
        done = pos == length - 1
        episode.rewards.append(1.0 if done else -0.05)
        if done:
            break


def main(episodes=120):
    torch.manual_seed(0)
    policy = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 2))
    opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
    writer, episode, baseline = Writer(), Episode(), 0.0
    writer.start()
    for i in range(episodes):
        play(policy, episode)
        g = episode.returns()
        loss = -(torch.stack(episode.log_probs) * (g - baseline)).mean()
        loss = loss - 0.01 * torch.stack(episode.entropies).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        baseline = 0.9 * baseline + 0.1 * g[0].item()
        writer.inbox.put((i, g[0].item(), baseline))
        episode.clear()
    writer.inbox.put(None)
    writer.join()


if __name__ == "__main__":
    main()
