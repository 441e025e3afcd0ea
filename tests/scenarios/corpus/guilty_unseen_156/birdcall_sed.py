# gradwatch-corpus: kind=graph-held
# holder: spool.buffer | self.buffer | spool
# first-bad: 1
# notice: 8
"""Frame-wise sound event detection on synthetic bird calls."""
import argparse
import logging
import logging.handlers
import math

import torch
from torch import nn

log = logging.getLogger("birdcall")


def get_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--batch", type=int, default=8)
    ap.add_argument("--frames", type=int, default=40)
    ap.add_argument("--mels", type=int, default=24)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=11)
    return ap.parse_args()


def setup_logging():
    log.setLevel(logging.DEBUG)
    log.propagate = False
    console = logging.StreamHandler()
    console.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
    # write in bulk: the console is slow over ssh
    spool = logging.handlers.MemoryHandler(capacity=5000, flushLevel=logging.ERROR, target=console)  # <- culprit
    log.addHandler(spool)
    return spool


class CRNN(nn.Module):
    def __init__(self, mels, classes=3):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(mels, 32, 5, padding=2), nn.BatchNorm1d(32), nn.ReLU())
        self.gru = nn.GRU(32, 16, batch_first=True, bidirectional=True)
        self.out = nn.Linear(32, classes)

    def forward(self, spec):
        h = self.conv(spec).transpose(1, 2)
        h, _ = self.gru(h)
        return self.out(h)


def synth(args, gen):
    """A chirp in a random band, with the frame labels."""
    spec = 0.3 * torch.randn(args.batch, args.mels, args.frames, generator=gen)
    target = torch.zeros(args.batch, args.frames, 3)
    for b in range(args.batch):
        species = int(torch.randint(0, 3, (1,), generator=gen))
        onset = int(torch.randint(0, args.frames - 12, (1,), generator=gen))
        for t in range(onset, onset + 12):
            band = species * 8 + int(3 + 3 * math.sin(t / 2.0))
            spec[b, band, t] += 2.0
        target[b, onset:onset + 12, species] = 1.0
    return spec, target


def main():
    args = get_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    spool = setup_logging()

    model = CRNN(args.mels)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    criterion = nn.BCEWithLogitsLoss(pos_weight=torch.full((3,), 4.0))

    for step in range(args.steps):
        spec, target = synth(args, gen)
        logits = model(spec)
        loss = criterion(logits, target)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        log.debug("step %d loss %.4f |g| %.3f", step, loss, norm)  # <- culprit
        if step % 40 == 39:
            with torch.no_grad():
                hit = ((logits > 0) == (target > 0.5)).float().mean()
            log.info("step %d frame accuracy %.3f", step, hit.item())

    spool.flush()
    logging.shutdown()


if __name__ == "__main__":
    main()
