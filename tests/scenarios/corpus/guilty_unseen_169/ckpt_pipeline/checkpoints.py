from collections import deque


class CheckpointManager:
    """In-memory checkpoints for fast rollback; the names of the newest stay in the index."""

    def __init__(self, keep_last):
        self.index = deque(maxlen=keep_last)
        self.store = {}

    def save(self, step, model):
        name = f"step-{step:06d}"
        self.store[name] = {k: v.detach().clone() for k, v in model.state_dict().items()}  # <- culprit
        self.index.append(name)  # <- culprit

    def latest(self):
        return self.store[self.index[-1]]

    def __len__(self):
        return len(self.index)
