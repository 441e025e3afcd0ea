# gradwatch-corpus: kind=none
"""Remaining-health estimate for gas turbines from an endless sensor stream; the recurrent state goes on from chunk to
chunk and the machines are replaced now and then."""
import torch
import torch.nn.functional as F

from callbacks import Console, LossRecord, RegretWindow
from stream import TurbineFleet
from tracker import HealthTracker

CHUNKS = 400
CHUNK_LENGTH = 10
MACHINES = 12


class Loop:
    def __init__(self, tracker, callbacks):
        self.tracker = tracker
        self.callbacks = list(callbacks)
        self.optimizer = torch.optim.RMSprop(tracker.parameters(), lr=1e-3)
        self.last = {}

    def emit(self, event, **payload):
        for callback in self.callbacks:
            handler = getattr(callback, event, None)
            if handler is not None:
                handler(self, **payload)

    def run(self, fleet, chunks):
        for index, chunk in zip(range(chunks), fleet):
            self.optimizer.zero_grad()
            with self.tracker.session(chunk.replaced):
                estimate = self.tracker(chunk.sensors)
                loss = F.mse_loss(estimate, chunk.health)
                residual = chunk.health - estimate
                loss = loss + 0.1 * residual.mean(0).abs().mean()
                loss.backward()
            torch.nn.utils.clip_grad_norm_(self.tracker.parameters(), 1.0)
            self.optimizer.step()
            self.last = {"loss": loss, "residual": residual}
            self.emit("on_chunk", index=index, loss=loss, residual=residual)
        self.emit("on_end")


def main():
    torch.manual_seed(30)
    fleet = TurbineFleet(MACHINES, CHUNK_LENGTH, seed=5)
    record = LossRecord()
    loop = Loop(HealthTracker(fleet.channels, MACHINES), [record, RegretWindow(32), Console(every=100)])
    loop.run(fleet, CHUNKS)
    print(f"first chunks {sum(record.loss[:20]) / 20:.4f}, last chunks {sum(record.loss[-20:]) / 20:.4f}")


if __name__ == "__main__":
    main()
