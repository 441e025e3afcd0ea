# gradwatch-corpus: kind=graph-held
# holder: self.rows | run.rows | self.rows[-1] | self.run.rows | run.rows[-1]["train/ctc"] | row | row[key] | trainer.run.rows | self.tracker.rows | self.rows[-1]["train/ctc"]
# first-bad: 1
"""Line reader for scanned invoices: narrow CNN over the strip, CTC on top.
Logs go through our stand-in for the hosted tracker, which writes its table when the run is finished."""

import contextlib
import csv
import io
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

ALPHABET = "-0123456789.,€"
H, W = 16, 64


class Run:
    """Local experiment run: same interface as the hosted one (`log`, `summary`, `finish`)."""

    def __init__(self, project, config):
        self.project = project
        self.config = dict(config)
        self.rows = []
        self.summary = {}
        self._t0 = time.time()

    def log(self, metrics, step):
        row = {"step": step, "t": time.time() - self._t0}
        for key, value in metrics.items():
            if torch.is_tensor(value):
                value = value.cpu()  # <- culprit
            row[key] = value
        self.rows.append(row)  # <- culprit

    def finish(self):
        out = io.StringIO()
        keys = sorted({k for r in self.rows for k in r})
        writer = csv.DictWriter(out, keys)
        writer.writeheader()
        for r in self.rows:
            writer.writerow({k: f"{float(v.item() if torch.is_tensor(v) else v):.5g}" for k, v in r.items()})
        self.summary["bytes"] = len(out.getvalue())
        self.summary["rows"] = len(self.rows)


@contextlib.contextmanager
def experiment(project, **config):
    run = Run(project, config)
    try:
        yield run
    finally:
        run.finish()
        print(project, run.summary)


class StripMaker:
    """Draws 'digits' as random fixed glyphs side by side."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.glyphs = (torch.rand(len(ALPHABET), H, 12, generator=self.g) > 0.6).float()

    def batch(self, n, length=5):
        text = torch.randint(1, len(ALPHABET), (n, length), generator=self.g)
        strips = torch.zeros(n, 1, H, W)
        for i in range(length):
            strips[:, 0, :, 2 + i * 12 : 14 + i * 12] = self.glyphs[text[:, i]]
        strips += 0.15 * torch.randn(strips.shape, generator=self.g)
        return strips, text


class Reader(nn.Module):
    def __init__(self, ch=24):
        super().__init__()
        self.c1 = nn.Conv2d(1, ch // 2, 3, padding=1)
        self.c2 = nn.Conv2d(ch // 2, ch, 3, padding=1)
        self.col = nn.Linear(ch * (H // 4), 64)
        self.out = nn.Linear(64, len(ALPHABET))

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.c2(x)), (2, 1))
        x = x.flatten(1, 2).transpose(1, 2)
        return self.out(F.relu(self.col(x))).log_softmax(-1)


def greedy(logp):
    best = logp.argmax(-1)
    texts = []
    for line in best.tolist():
        prev, chars = 0, []
        for c in line:
            if c != prev and c != 0:
                chars.append(c)
            prev = c
        texts.append(chars)
    return texts


def exact_match(model, strips, text):
    with torch.no_grad():
        guess = greedy(model(strips))
    return sum(g == t for g, t in zip(guess, text.tolist())) / len(guess)


def main(steps=280, batch_size=8):
    torch.manual_seed(4)
    strips_of = StripMaker(seed=9)
    model = Reader()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    with experiment("invoice-lines", lr=2e-3, batch=batch_size) as run:
        for step in range(steps):
            strips, text = strips_of.batch(batch_size)
            logp = model(strips)
            T = logp.shape[1]
            loss = F.ctc_loss(
                logp.transpose(0, 1), text,
                torch.full((batch_size,), T), torch.full((batch_size,), text.shape[1]),
                zero_infinity=True,
            )
            opt.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            run.log({"train/ctc": loss, "train/grad_norm": norm, "lr": opt.param_groups[0]["lr"]}, step=step)  # <- culprit
            if step % 70 == 69:
                em = exact_match(model, *strips_of.batch(32))
                run.log({"val/exact": em}, step=step)
                print(f"step {step + 1}  ctc {loss.item():.3f}  exact {em:.2f}")


if __name__ == "__main__":
    main()
