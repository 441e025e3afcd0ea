import contextlib
import torch


class ParamEMA:
    def __init__(self, params, decay):
        self.params = list(params)
        self.decay = decay
        self.shadow = [p.clone().detach() for p in self.params]
        self.n = 0

    def update(self):
        self.n += 1
        d = min(self.decay, (1 + self.n) / (10 + self.n))
        with torch.no_grad():
            for s, p in zip(self.shadow, self.params):
                s.sub_((1 - d) * (s - p))

    @contextlib.contextmanager
    def average_parameters(self):
        kept = [p.data.clone() for p in self.params]
        for p, s in zip(self.params, self.shadow):
            p.data.copy_(s)
        try:
            yield
        finally:
            for p, k in zip(self.params, kept):
                p.data.copy_(k)
