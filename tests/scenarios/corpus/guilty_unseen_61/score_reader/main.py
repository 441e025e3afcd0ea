# gradwatch-corpus: kind=graph-chain
# holder: self.slots | self.memory.slots | self.model.memory.slots | model.memory.slots | loop.model.memory.slots
# first-bad: 1
# notice: 5
"""Next-note prediction on long scores, read segment by segment with a recurrent memory."""
import argparse

import torch

from loop import SegmentLoop
from model.reader import ScoreReader
from optim.lion import Lion


def synth_score(n_voices, length, vocab):
    """Arpeggios with a slow key change."""
    t = torch.arange(length)
    key = (t // 64) % vocab
    start = torch.randint(vocab, (n_voices, 1))
    return (start + key + torch.tensor([0, 4, 7])[t % 3]) % vocab


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--segments", type=int, default=70)
    ap.add_argument("--segment-len", type=int, default=8)
    ap.add_argument("--slots", type=int, default=4)
    ap.add_argument("--vocab", type=int, default=24)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(13)

    model = ScoreReader(args.vocab, dim=24, n_slots=args.slots)
    score = synth_score(6, args.segments * args.segment_len + 1, args.vocab)
    loop = SegmentLoop(model, Lion(model.parameters(), lr=5e-4))
    losses = loop.read(score, args.segment_len)
    print(f"first {losses[0]:.3f} last {losses[-1]:.3f} over {len(losses)} segments")


if __name__ == "__main__":
    main()
