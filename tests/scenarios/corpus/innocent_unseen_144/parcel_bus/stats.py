import torch

from . import events


class EpochBook:
    """Outputs and losses of the running epoch; written up and emptied when the epoch is over."""

    def __init__(self):
        self.losses, self.outputs = [], {}
        self.lines = []
        events.step_done.connect(self.note)
        events.epoch_done.connect(self.close)

    def note(self, step, loss, output, **_):
        self.losses.append(loss)
        self.outputs[step] = output

    def close(self, epoch, **_):
        mean = torch.stack(self.losses).mean().item()
        spread = torch.cat(list(self.outputs.values())).std().item()
        self.lines.append((epoch, mean, spread))
        self.losses.clear()
        self.outputs.clear()
