# gradwatch-corpus: kind=graph-chain
# holder: self.bookmark | reader.bookmark | self.bookmark.state | reader.bookmark.state | mark | mark.state
# first-bad: 1
"""Character model of a made-up logbook, read chapter by chapter.   python -m tidewrack"""
import argparse

import torch

from .cells import Scribe
from .reader import Reader
from .text import chapters


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--chapters", type=int, default=5)
    ap.add_argument("--width", type=int, default=24)
    ap.add_argument("--span", type=int, default=4)
    ap.add_argument("--rate", type=float, default=0.15)
    return ap.parse_args()


def main():
    cfg = parse()
    torch.manual_seed(11)
    scribe = Scribe(vocab=28, width=cfg.width)
    reader = Reader(scribe, rate=cfg.rate)
    for n, pages in enumerate(chapters(cfg.chapters, span=cfg.span, lanes=16, pages=60)):
        reader.open_chapter(lanes=16)
        bits = 0.0
        for page in pages:
            bits += reader.read(page)
        print(f"chapter {n}: {bits / 60 / 0.6931:.3f} bits/char, reached line {reader.bookmark.line}", flush=True)


if __name__ == "__main__":
    main()
