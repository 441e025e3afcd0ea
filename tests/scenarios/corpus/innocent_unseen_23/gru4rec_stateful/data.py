import numpy as np
import torch


class SessionParallel:
    """session-parallel mini-batches: every lane walks through one session after
    another, a mask tells which lanes have just started a new one"""

    def __init__(self, n_sessions, n_items, lanes, seed=0):
        rng = np.random.RandomState(seed)
        self.lanes = lanes
        self.sessions = []
        for _ in range(n_sessions):
            n = rng.randint(4, 20)
            s = rng.randint(n_items) + rng.randint(-2, 4, size=n).cumsum()
            self.sessions.append(s % n_items)

    def __iter__(self):
        queue = iter(np.random.permutation(len(self.sessions)))
        current = [next(queue) for _ in range(self.lanes)]
        pos = [0] * self.lanes
        fresh = [True] * self.lanes
        while True:
            x = [self.sessions[c][p] for c, p in zip(current, pos)]
            y = [self.sessions[c][p + 1] for c, p in zip(current, pos)]
            yield (torch.tensor(current), torch.tensor(x), torch.tensor(y), torch.tensor(fresh))
            for i in range(self.lanes):
                pos[i] += 1
                fresh[i] = False
                if pos[i] + 1 >= len(self.sessions[current[i]]):
                    nxt = next(queue, None)
                    if nxt is None:
                        return
                    current[i], pos[i], fresh[i] = nxt, 0, True
