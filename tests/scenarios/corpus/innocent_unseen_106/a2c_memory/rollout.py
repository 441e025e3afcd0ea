from collections import defaultdict

import torch


class Rollout:
    def __init__(self):
        self.buf = defaultdict(list)

    def add(self, **kw):
        for k, v in kw.items():
            self.buf[k].append(v)

    def stack(self):
        return {k: torch.stack(v) for k, v in self.buf.items()}

    def returns(self, last, gamma):
        out, ret = [], last
        for r, m in zip(reversed(self.buf["reward"]), reversed(self.buf["mask"])):
            ret = r + gamma * ret * m
            out.insert(0, ret)
        return torch.stack(out)

    def clear(self):
        for v in self.buf.values():
            del v[:]
