import random

import torch


class Session:
    def __init__(self, sid, hidden, born, lifetime):
        self.sid = sid
        self.state = torch.zeros(hidden)
        self.born = born
        self.lifetime = lifetime
        self.turns = []

    def expired(self, now):
        return now - self.born >= self.lifetime

    def mood(self):
        return torch.stack(self.turns).mean().item()


class SessionPool:
    """Open conversations; closed ones make room for new customers."""

    def __init__(self, size, hidden, seed):
        self.rng = random.Random(seed)
        self.size = size
        self.hidden = hidden
        self.opened = 0
        self.closed_moods = []
        self.sessions = {}

    def refresh(self, now):
        for sid in [s for s, sess in self.sessions.items() if sess.expired(now)]:
            self.closed_moods.append(self.sessions.pop(sid).mood())
        while len(self.sessions) < self.size:
            self.opened += 1
            self.sessions[self.opened] = Session(self.opened, self.hidden, now, self.rng.randint(8, 35))

    def pick(self, n):
        return self.rng.sample(list(self.sessions.values()), n)
