# gradwatch-corpus: kind=graph-held
# holder: spool.buffer | runlog.SPOOL.buffer | SPOOL.buffer | self.spool.buffer | spool | SPOOL | self.spool
# first-bad: 1
"""Keyword spotting on synthetic filterbanks. Debug records are spooled in memory and written out when the run ends."""
import runlog
import torch
from nets import build
from speech import FilterbankStream
from torch.nn.functional import cross_entropy

CFG = {
    "net": {"kind": "dscnn", "width": 24, "classes": 8},
    "data": {"mels": 20, "frames": 32, "batch": 16, "classes": 8},
    "opt": {"lr": 2e-3, "momentum": 0.9},
    "steps": 340,
}


def run(cfg):
    torch.manual_seed(5)
    log, spool = runlog.open_log("kws")
    spotter = build(**cfg["net"])
    feed = FilterbankStream(**cfg["data"])
    sgd = torch.optim.SGD(spotter.parameters(), **cfg["opt"])
    hits = 0
    for n, (fb, word) in zip(range(cfg["steps"]), feed):
        scores = spotter(fb)
        ce = cross_entropy(scores, word)
        sgd.zero_grad(set_to_none=True)
        ce.backward()
        gn = torch.nn.utils.clip_grad_norm_(spotter.parameters(), 5.0)
        sgd.step()
        hits += (scores.argmax(-1) == word).sum().item()
        log.debug("n=%d ce=%.4f gn=%.3f", n, ce, gn)  # <- culprit
        if n % 50 == 49:
            log.info("step %d accuracy %.3f", n + 1, hits / (50 * len(word)))
            hits = 0
    return spool


if __name__ == "__main__":
    spool = run(CFG)
    print("debug records:", len(spool.buffer))
