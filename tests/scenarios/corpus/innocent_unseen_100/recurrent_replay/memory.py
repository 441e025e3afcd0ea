from collections import namedtuple

import torch

Transition = namedtuple("Transition", "obs h action reward nxt h_next")


class EpisodeMemory:
    def __init__(self):
        self.rows = []

    def __len__(self):
        return len(self.rows)

    def push(self, *fields):
        self.rows.append(Transition(*(f.detach() if torch.is_tensor(f) else f for f in fields)))

    def sample(self, n):
        pick = [self.rows[i] for i in torch.randint(len(self.rows), (n,)).tolist()]
        cols = Transition(*zip(*pick))
        return Transition(
            torch.cat(cols.obs), torch.cat(cols.h), torch.tensor(cols.action),
            torch.tensor(cols.reward), torch.cat(cols.nxt), torch.cat(cols.h_next),
        )
