import queue
import threading

import torch


class Evaluator:
    """Plain worker threads with an inbox and an outbox."""

    def __init__(self, workers):
        self.inbox, self.outbox = queue.Queue(), queue.Queue()
        self.threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(workers)]

    def __enter__(self):
        for t in self.threads:
            t.start()
        return self

    def __exit__(self, *exc):
        for _ in self.threads:
            self.inbox.put(None)
        for t in self.threads:
            t.join()

    def _serve(self):
        torch.set_num_threads(1)
        while (job := self.inbox.get()) is not None:
            name, (fn, *args) = job
            self.outbox.put((name, fn(*args)))

    def evaluate(self, jobs):
        for job in jobs.items():
            self.inbox.put(job)
        done = dict(self.outbox.get() for _ in jobs)
        return {k: done[k] for k in jobs}


class Surgery:
    """PCGrad on the trunk; heads get their own gradient as usual."""

    def __init__(self, shared):
        self.shared, self.conflicts = shared, 0

    def backward(self, losses, scale):
        kept = [None if p.grad is None else p.grad.clone() for p in self.shared]
        rows, last = [], len(losses) - 1
        for n, loss in enumerate(losses.values()):
            for p in self.shared:
                p.grad = None
            (loss * scale).backward(retain_graph=n < last)
            rows.append(torch.cat([p.grad.flatten() for p in self.shared]))
        merged = []
        for i, g in enumerate(rows):
            g = g.clone()
            for j, other in enumerate(rows):
                dot = g @ other
                if i != j and dot < 0:
                    self.conflicts += 1
                    g -= dot / (other @ other + 1e-9) * other
            merged.append(g)
        flat = torch.stack(merged).sum(0)
        for p, old, piece in zip(self.shared, kept, flat.split([p.numel() for p in self.shared])):
            p.grad = piece.view_as(p) + (0 if old is None else old)
