from collections import defaultdict, deque

import torch


def _plain(value):
    return value.detach() if isinstance(value, torch.Tensor) else value


class Signals:
    """Named signals. The last emissions are kept for callbacks that want to look back."""

    def __init__(self, keep):
        self._callbacks = defaultdict(list)
        self._recent = defaultdict(lambda: deque(maxlen=keep))

    def on(self, name, callback):
        self._callbacks[name].append(callback)

    def emit(self, name, **payload):
        payload = {key: _plain(value) for key, value in payload.items()}
        self._recent[name].append(payload)
        for callback in self._callbacks[name]:
            callback(recent=self._recent[name], **payload)
