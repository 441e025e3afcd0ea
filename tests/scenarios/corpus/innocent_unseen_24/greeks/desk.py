from collections import defaultdict, deque

import torch


class Bus:
    def __init__(self):
        self._subs = defaultdict(list)

    def subscribe(self, topic, fn):
        self._subs[topic].append(fn)

    def publish(self, topic, *payload):
        for fn in self._subs[topic]:
            fn(*payload)


class RiskBook:
    def __init__(self, depth):
        self._marks = deque(maxlen=depth)

    def on_priced(self, value, delta):
        self._marks.append((value.mean(), delta.sum(1).mean()))

    def summary(self):
        v, d = (torch.stack(c) for c in zip(*self._marks))
        return f"value {v.mean().item():.3f} delta {d.mean().item():.3f}"
