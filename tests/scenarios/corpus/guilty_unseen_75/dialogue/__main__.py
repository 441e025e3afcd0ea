# gradwatch-corpus: kind=graph-held
# holder: self.samples | probe.samples | PROBES[name].samples | PROBES["response.nll"].samples | PROBES | self.samples[-1]
# first-bad: 1
# notice: 8
"""Response selection over synthetic dialogues. Run: python -m dialogue"""
import torch

from .instrument import summary
from .loop import DialogueLoop, LoopConfig


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(21)
    cfg = LoopConfig()
    DialogueLoop(cfg).fit()
    print(summary())


if __name__ == "__main__":
    main()
