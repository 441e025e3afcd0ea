import torch


class Archive:
    """All predictions of the run, for the calibration plot."""

    def __init__(self):
        self.rows = {}

    def add(self, step, probs):
        self.rows[step] = probs.detach().clone()

    def confident(self, level=0.8):
        p = torch.cat(list(self.rows.values()))
        return ((p > level) | (p < 1 - level)).float().mean().item()


class Report:
    def __init__(self):
        self.pending = []

    def defer(self, template, **values):
        values = {k: v.data for k, v in values.items()}
        self.pending.append(lambda: template.format(**{k: v.item() for k, v in values.items()}))

    def lines(self, every):
        return [render() for render in self.pending[::every]]
