# gradwatch-corpus: kind=none
"""CTC recogniser with a length curriculum, layers that are added on the way, an EMA copy and a guard for bad batches."""
import argparse
import copy
import logging

import torch
import torch.nn as nn
import torch.nn.functional as F

log = logging.getLogger("asr")


class BadBatch(RuntimeError):
    def __init__(self, loss, step):
        super().__init__(f"step {step}: loss {loss.item():.2f}")
        self.loss = loss
        self.step = step


class ResGRU(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.gate = nn.Parameter(torch.zeros(()))

    def forward(self, x):
        return x + self.gate * self.rnn(self.norm(x))[0]


class Recogniser(nn.Module):
    def __init__(self, feats, d, phones):
        super().__init__()
        self.d = d
        self.inp = nn.Linear(feats, d)
        self.layers = nn.ModuleList([ResGRU(d)])
        self.heads = nn.ModuleList([nn.Linear(d, phones + 1)])
        self.phones = phones

    def deepen(self):
        self.layers.append(ResGRU(self.d))
        self.heads.append(copy.deepcopy(self.heads[-1]))
        return [*self.layers[-1].parameters(), *self.heads[-1].parameters()]

    def forward(self, x):
        x = torch.relu(self.inp(x))
        outs = []
        for layer, head in zip(self.layers, self.heads):
            x = layer(x)
            outs.append(head(x).log_softmax(-1))
        return outs


class Ema:
    def __init__(self, model, decay=0.97):
        self.decay = decay
        self.model = copy.deepcopy(model).requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        if len(model.layers) != len(self.model.layers):
            self.model = copy.deepcopy(model).requires_grad_(False)
        for e, p in zip(self.model.parameters(), model.parameters()):
            e.lerp_(p, 1 - self.decay)


class Speech:
    def __init__(self, phones, feats):
        self.table = torch.randn(phones + 1, feats)

    def batch(self, n, labels, glitch=False):
        y = torch.randint(1, len(self.table), (n, labels))
        x = self.table[y].repeat_interleave(3, 1)
        x = x + 0.4 * torch.randn_like(x)
        return (x * 1e4 if glitch else x), y


def ctc(logp, y):
    n, t = logp.shape[:2]
    return F.ctc_loss(logp.transpose(0, 1), y, torch.full((n,), t), torch.full((n,), y.size(1)), zero_infinity=True)


class Trainer:
    def __init__(self, args):
        self.args = args
        self.data = Speech(args.phones, args.feats)
        self.model = Recogniser(args.feats, args.width, args.phones)
        self.ema = Ema(self.model)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=args.lr)
        self.skipped = []
        self.losses = []

    def labels_at(self, step):
        return min(2 + step // 40, self.args.max_labels)

    def train_step(self, step):
        x, y = self.data.batch(self.args.batch, self.labels_at(step), glitch=step % 33 == 32)
        outs = self.model(x)
        per_layer = [ctc(o, y) for o in outs]
        loss = per_layer[-1] + 0.3 * sum(per_layer[:-1])
        if not torch.isfinite(loss) or loss.item() > self.args.limit:
            raise BadBatch(loss, step)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.ema.update(self.model)
        return loss.item()

    @torch.no_grad()
    def evaluate(self, step):
        x, y = self.data.batch(32, self.labels_at(step))
        return ctc(self.ema.model(x)[-1], y).item()

    def fit(self):
        for step in range(self.args.steps):
            if step in self.args.deepen_at:
                self.opt.add_param_group({"params": self.model.deepen()})
            try:
                self.losses.append(self.train_step(step))
            except BadBatch as err:
                self.skipped.append(str(err))
            if (step + 1) % 50 == 0:
                log.info("step %d labels %d layers %d train %.3f ema %.3f skipped %d", step + 1, self.labels_at(step),
                         len(self.model.layers), sum(self.losses[-50:]) / len(self.losses[-50:]),
                         self.evaluate(step), len(self.skipped))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    for name, default in dict(steps=200, batch=8, phones=6, feats=8, width=24, max_labels=6).items():
        ap.add_argument(f"--{name}", type=int, default=default)
    ap.add_argument("--lr", type=float, default=6e-3)
    ap.add_argument("--limit", type=float, default=12.0)
    ap.add_argument("--deepen-at", type=int, nargs="*", default=[60, 120])
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(1)
    torch.manual_seed(2)
    Trainer(ap.parse_args()).fit()
