from collections import deque


class Recorder:
    """The episode under way as it is, finished ones stripped."""

    def __init__(self, keep):
        self.done = deque(maxlen=keep)
        self.current = None

    def open(self, episode):
        self.current = episode

    def close(self):
        self.done.append(self.current.stripped())
        self.current = None

    def reset(self):
        self.done.clear()

    def __len__(self):
        return len(self.done)
