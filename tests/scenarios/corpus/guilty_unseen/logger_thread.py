# gradwatch-corpus: kind=graph-held
# holder: self.rows | writer.rows | thread.rows | rows
import queue
import threading

import torch
import torch.nn as nn


class MetricsWriter(threading.Thread):
    """Takes metrics off the training thread; rows are dumped by close()."""

    def __init__(self):
        super().__init__(daemon=True)
        self.q = queue.Queue()
        self.rows = []

    def run(self):
        while True:
            item = self.q.get()
            if item is None:
                return
            self.rows.append(item)  # <- culprit

    def put(self, **metrics):
        self.q.put(metrics)  # <- culprit

    def close(self):
        self.q.put(None)
        self.join()
        return [{k: float(v) for k, v in r.items()} for r in self.rows]


def main():
    torch.manual_seed(17)
    writer = MetricsWriter()
    writer.start()
    gru = nn.GRU(6, 48, batch_first=True)
    head = nn.Linear(48, 6)
    params = [*gru.parameters(), *head.parameters()]
    opt = torch.optim.Adam(params, lr=3e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 160)
    for it in range(160):
        t = torch.linspace(0, 3, 17)[None, :, None] + torch.rand(32, 1, 6) * 6
        seq = torch.sin(t)
        out, _ = gru(seq[:, :-1])
        loss = nn.functional.mse_loss(head(out), seq[:, 1:])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        writer.put(step=it, loss=loss, lr=sched.get_last_lr()[0])  # <- culprit
    rows = writer.close()
    print(len(rows), rows[0]["loss"], rows[-1]["loss"])


main()
