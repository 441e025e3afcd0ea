"""The workers' half: pull, differentiate, push."""
import contextlib
import queue
import threading
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from server import mlp


@dataclass
class Report:
    worker: int
    version: int
    loss: float
    grads: list
    _ack: threading.Event

    def release(self):
        self._ack.set()


class Worker(threading.Thread):
    def __init__(self, ident, x, y, server, batch=32):
        super().__init__(daemon=True, name=f"worker-{ident}")
        self.ident_ = ident
        self.x, self.y = x, y
        self.server = server
        self.batch = batch
        self.local = mlp(server.dims)
        self.gen = torch.Generator().manual_seed(ident)
        self.outbox = None
        self.halt = threading.Event()

    def run(self):
        while not self.halt.is_set():
            version, weights = self.server.pull()
            with torch.no_grad():
                for p, w in zip(self.local.parameters(), weights):
                    p.copy_(w)
            pick = torch.randint(len(self.y), (self.batch,), generator=self.gen)
            loss = F.cross_entropy(self.local(self.x[pick]), self.y[pick])
            grads = torch.autograd.grad(loss, list(self.local.parameters()))
            ack = threading.Event()
            self.outbox.put(Report(self.ident_, version, loss.item(), list(grads), ack))
            del loss, grads
            while not ack.wait(0.2):
                if self.halt.is_set():
                    return


@contextlib.contextmanager
def start_workers(workers):
    inbox = queue.Queue(maxsize=len(workers))
    for w in workers:
        w.outbox = inbox
        w.start()
    try:
        yield inbox
    finally:
        for w in workers:
            w.halt.set()
        for w in workers:
            w.join(timeout=2.0)
