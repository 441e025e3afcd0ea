import queue
import threading
from collections import defaultdict

import torch


class AsyncScribe(threading.Thread):
    """Takes tensors from the loop; reduces them to numbers in batches, off the hot path."""

    def __init__(self, flush_at):
        super().__init__(daemon=True)
        self.inbox = queue.Queue(maxsize=64)
        self.flush_at = flush_at
        self.backlog = defaultdict(list)
        self.rows = defaultdict(list)
        self.written = 0

    def post(self, tag, value):
        self.inbox.put((tag, value))  # <- culprit

    def run(self):
        while True:
            tag, value = self.inbox.get()
            if tag is None:
                self.inbox.task_done()
                break
            self.backlog[tag].append(value)  # <- culprit
            del value
            if len(self.backlog[tag]) >= self.flush_at:
                self.flush(tag)
            self.inbox.task_done()

    def flush(self, tag):
        values = self.backlog.pop(tag)
        self.rows[tag].append(torch.stack(values).mean().item())
        self.written += len(values)

    def close(self):
        self.inbox.put((None, None))
        self.join()
        for tag in list(self.backlog):
            self.flush(tag)
        print("closed", self.written, {t: r[-1] for t, r in list(self.rows.items())[-2:]})
