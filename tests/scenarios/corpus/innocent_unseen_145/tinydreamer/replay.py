from collections import deque

import torch


class EpisodeReplay:
    def __init__(self, capacity):
        self.episodes = deque(maxlen=capacity)

    def add(self, episode):
        self.episodes.append(episode)

    def sample(self, batch, length):
        rows = {"obs": [], "act": [], "rew": []}
        for _ in range(batch):
            ep = self.episodes[torch.randint(len(self.episodes), ()).item()]
            s = torch.randint(len(ep["obs"]) - length, ()).item()
            for k in rows:
                rows[k].append(ep[k][s:s + length])
        return {k: torch.stack(v, 1) for k, v in rows.items()}
