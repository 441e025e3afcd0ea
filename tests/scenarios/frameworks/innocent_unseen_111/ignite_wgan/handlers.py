import torch
from ignite.engine import Events


def attach_epoch_outputs(engine, key):
    """Means of output[key], one number an epoch."""
    buffer, means = [], []

    @engine.on(Events.ITERATION_COMPLETED)
    def collect(engine):
        buffer.append(engine.state.output[key])

    @engine.on(Events.EPOCH_COMPLETED)
    def flush(engine):
        means.append(torch.stack(buffer).mean().item())
        buffer.clear()

    return means


class Snapshots:
    """Generated profiles from the same noise, kept every few epochs."""

    def __init__(self, gen, every, n=8):
        self.gen = gen
        self.noise = torch.randn(n, gen.z_dim)
        self.every = every
        self.taken = []

    def __call__(self, engine):
        with torch.no_grad():
            self.taken.append(self.gen(self.noise))

    def attach(self, engine):
        engine.add_event_handler(Events.EPOCH_COMPLETED(every=self.every), self)
        return self
