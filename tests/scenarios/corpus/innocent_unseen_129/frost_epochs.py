# gradwatch-corpus: kind=none
from collections import defaultdict

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(198)


class Callback:
    def on_epoch_begin(self, run): ...
    def on_batch_end(self, run, out): ...
    def on_epoch_end(self, run): ...


CALLBACKS = {}


def callback(cls):
    CALLBACKS[cls.__name__] = cls
    return cls


@callback
class EpochAuc(Callback):
    def __init__(self):
        self.outputs, self.values = [], []

    def on_batch_end(self, run, out):
        self.outputs.append(out)

    def on_epoch_end(self, run):
        s = torch.cat([o["logits"] for o in self.outputs]).detach()
        y = torch.cat([o["frost"] for o in self.outputs])
        pos, neg = s[y == 1], s[y == 0]
        self.values.append((pos[:, None] > neg[None]).float().mean().item())
        self.outputs.clear()


@callback
class EpochLoss(Callback):
    def __init__(self, decimals):
        self.decimals, self.history, self.sum, self.n = decimals, defaultdict(list), 0.0, 0

    def on_epoch_begin(self, run):
        self.sum, self.n = 0.0, 0

    def on_batch_end(self, run, out):
        self.sum = self.sum + out["loss"]
        self.n += 1

    def on_epoch_end(self, run):
        self.history["loss"].append(round((self.sum / self.n).item(), self.decimals))


class Runner:
    def __init__(self, net, callbacks):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=2e-3)
        self.callbacks = [CALLBACKS[c["name"]](**{k: v for k, v in c.items() if k != "name"}) for c in callbacks]

    def tell(self, what, *a):
        for c in self.callbacks:
            getattr(c, what)(self, *a)

    def batches(self, n):
        for _ in range(n):
            x = torch.randn(14, 6)
            yield x, ((x[:, 0] - x[:, 1] * x[:, 2]) > 0).float()

    def fit(self, epochs):
        for _ in range(epochs):
            self.tell("on_epoch_begin")
            for x, y in self.batches(12):
                logits = self.net(x).squeeze(1)
                loss = nn.functional.binary_cross_entropy_with_logits(logits, y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                self.tell("on_batch_end", {"logits": logits, "frost": y, "loss": loss})
            self.tell("on_epoch_end")


net = nn.Sequential(nn.Linear(6, 20), nn.ReLU(), nn.Linear(20, 1))
run = Runner(net, [{"name": "EpochAuc"}, {"name": "EpochLoss", "decimals": 4}])
run.fit(60)
print(run.callbacks[0].values[-1], run.callbacks[1].history["loss"][-1])
