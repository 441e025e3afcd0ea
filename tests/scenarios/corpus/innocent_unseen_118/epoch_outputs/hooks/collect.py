from collections import defaultdict

import torch


class OutputCollector:
    def __init__(self, every):
        self.every = every
        self.outputs = defaultdict(lambda: defaultdict(list))
        self.table = []

    def after_batch(self, runner, out):
        bucket = self.outputs[runner.epoch]
        for name, value in out.items():
            bucket[name].append(value)

    def after_epoch(self, runner):
        bucket = self.outputs.pop(runner.epoch)
        row = {name: torch.stack(values).mean().item() for name, values in bucket.items()}
        bucket.clear()
        self.table.append(row)
        if len(self.table) % self.every == 0:
            print(f"epoch {runner.epoch}", {k: round(v, 4) for k, v in row.items()})
