# gradwatch-corpus: kind=none
"""Wind turbine power curves; odd batches are reported, losses are kept for each turbine, logs are buffered."""
import io
import logging
import logging.handlers
import queue
import threading
from weakref import WeakKeyDictionary

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(71)


class OddBatch(Exception):
    def __init__(self, message, residual):
        super().__init__(message)
        self.residual = residual


class Turbine:
    def __init__(self, rated, cut_in):
        self.rated, self.cut_in = rated, cut_in

    def measure(self, count):
        wind = 3 + 12 * torch.rand(count, 1)
        power = self.rated * torch.sigmoid(wind - 6 - self.cut_in)
        if torch.rand(()) < 0.3:
            power[0] = 0.0
        return torch.cat([wind / 10, torch.full_like(wind, self.rated), torch.full_like(wind, self.cut_in)], 1), power


def feeder(turbines, batches, size, out):
    rng = torch.Generator().manual_seed(5)
    for _ in range(batches):
        turbine = turbines[int(torch.randint(len(turbines), (1,), generator=rng))]
        out.put((turbine, *turbine.measure(size)))
    out.put(None)


class Watch:
    def __init__(self, limit=3.5, keep=40):
        self.limit, self.keep = limit, keep
        self.reports = []
        self.curve = WeakKeyDictionary()

    def check(self, turbine, prediction, power):
        residual = prediction - power
        score = residual.abs().max() / (residual.abs().mean() + 1e-6)
        if score > self.limit:
            raise OddBatch(f"rated {turbine.rated:.2f}: score {score.item():.2f}", residual)
        return residual.pow(2).mean()

    def robust(self, turbine, prediction, power):
        try:
            return self.check(turbine, prediction, power)
        except OddBatch as odd:
            self.reports = (self.reports + [str(odd)])[-self.keep:]
            return nn.functional.huber_loss(odd.residual, torch.zeros_like(odd.residual), delta=0.1)

    def note(self, turbine, loss):
        old = self.curve.get(turbine, loss.detach())
        self.curve[turbine] = torch.lerp(old, loss.detach(), 0.1)


def main(batches=120):
    log = logging.getLogger("turbines")
    log.setLevel(logging.INFO)
    log.propagate = False
    page = io.StringIO()
    memory = logging.handlers.MemoryHandler(500, flushLevel=logging.CRITICAL, target=logging.StreamHandler(page))
    log.addHandler(memory)
    turbines = [Turbine(1 + 0.2 * i, 0.3 * (i % 3)) for i in range(6)]
    pending = queue.Queue(maxsize=4)
    thread = threading.Thread(target=feeder, args=(turbines, batches, 20, pending), daemon=True)
    thread.start()
    model = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    watch = Watch()
    while (item := pending.get()) is not None:
        turbine, x, power = item
        loss = watch.robust(turbine, model(x), power)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        watch.note(turbine, loss)
        log.info("turbine %.2f loss %.5f", turbine.rated, loss.item())
    thread.join()
    memory.close()
    print("log lines", len(page.getvalue().splitlines()), "reports", len(watch.reports))
    print("curve", [round(v.item(), 4) for v in watch.curve.values()])


if __name__ == "__main__":
    main()
