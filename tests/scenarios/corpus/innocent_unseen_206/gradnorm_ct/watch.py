import json

import torch


class JsonLines:
    def __init__(self, keep):
        self.keep = keep
        self.lines = []

    def write(self, **fields):
        clean = {k: (round(v.item(), 5) if torch.is_tensor(v) else v) for k, v in fields.items()}
        self.lines.append(json.dumps(clean))
        if len(self.lines) > self.keep:
            self.lines = self.lines[-self.keep // 2:]

    def tail(self, key, n):
        rows = [json.loads(l)[key] for l in self.lines[-n:]]
        return f"{key} {sum(rows) / len(rows):.3f}"

    def last(self, prefix):
        return {k: v for k, v in json.loads(self.lines[-1]).items() if k.startswith(prefix)}
