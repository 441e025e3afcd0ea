"""Background summariser: the training loop hands over tensors and goes on."""
import queue
import threading

import torch

_STOP = object()


class Reporter(threading.Thread):
    def __init__(self, group, backlog):
        super().__init__(daemon=True)
        self.group = group
        self.inbox = queue.Queue(maxsize=backlog)
        self.rows = []

    def submit(self, step, loss, out, clean):
        self.inbox.put((step, loss, out, clean))

    def run(self):
        batch = []
        while True:
            item = self.inbox.get()
            if item is _STOP:
                return
            batch.append(item)
            if len(batch) == self.group:
                self.rows.append(self.summarise(batch))
                batch.clear()

    @staticmethod
    def summarise(batch):
        steps, losses, outs, cleans = zip(*batch)
        with torch.no_grad():
            err = torch.stack(outs) - torch.stack(cleans)
            snr = 10 * torch.log10(torch.stack(cleans).square().sum() / err.square().sum())
            return steps[-1], torch.stack(losses).mean().item(), snr.item()

    def close(self):
        self.inbox.put(_STOP)
        self.join()
        return self.rows
