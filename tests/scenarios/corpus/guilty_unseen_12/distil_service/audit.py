"""Background audits: submit a function, read the results later."""
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Callable, List

import torch


def agreement(logits, soft):
    """Overlap of the two predicted distributions, averaged over the batch."""
    return torch.minimum(logits.softmax(-1), soft).sum(-1).mean()  # <- culprit


class Auditor:
    def __init__(self, workers: int = 1):
        self._pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="audit")
        self._audits: List[Future] = []

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self._pool.shutdown(wait=True)
        return False

    def submit(self, fn: Callable, *args) -> Future:
        future = self._pool.submit(fn, *args)
        self._audits.append(future)  # <- culprit
        return future

    def summary(self, parts: int):
        values = [float(f.result()) for f in self._audits]
        size = max(1, len(values) // parts)
        return [sum(chunk) / len(chunk)
                for chunk in (values[k:k + size] for k in range(0, len(values), size))][:parts]
