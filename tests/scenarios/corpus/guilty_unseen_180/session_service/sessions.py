class Session:
    def __init__(self, key, now):
        self.key = key
        self.opened = now
        self.last_seen = now
        self.turns = []

    def touch(self, now):
        self.last_seen = now
        return self

    def mean_loss(self):
        return sum(t.item() for t in self.turns) / max(1, len(self.turns))


class SessionManager:
    def __init__(self, idle):
        self.idle = idle
        self._sessions = {}

    def get(self, key, now):
        session = self._sessions.get(key)
        if session is None:
            session = self._sessions[key] = Session(key, now)
        return session.touch(now)

    def expire(self, now):
        gone = [k for k in self._sessions if now - self.get(k, now).last_seen > self.idle]  # <- culprit
        return [self._sessions.pop(k) for k in gone]

    def record(self, key, now, loss):
        self.get(key, now).turns.append(loss)  # <- culprit

    def __len__(self):
        return len(self._sessions)
