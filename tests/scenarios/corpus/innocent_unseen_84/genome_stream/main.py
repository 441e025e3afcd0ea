# gradwatch-corpus: kind=none
"""Stream whole chromosomes through a recurrent exon tagger, gradient over a few tiles at a time."""
import torch

from chromosomes import tiles
from session import StreamSession, Window
from tagger import ExonTagger


def main():
    torch.set_num_threads(1)
    torch.manual_seed(17)
    session = StreamSession(ExonTagger(dim=16), Window(tiles=3), lr=3e-3)
    for i, (bases, exon, fresh) in enumerate(tiles(n=960, width=5, rows=6)):
        session.feed(bases, exon, fresh)
    print("updates", session.updates, "last", session.log[-1], "best", min(session.log))


if __name__ == "__main__":
    main()
