# gradwatch-corpus: kind=graph-held
# holder: self.total | meter.total | self.meters["smoothness"].total | self.meters["smoothness"] | self.meters | meters.meters | trainer.callbacks[1].meters["smoothness"].total
# first-bad: 1
"""Wake-word model, nightly job. Runs the keyword spotter on synthetic filterbanks
so that the pipeline can be exercised without access to the audio store."""
import torch

from callbacks import MeterCallback, ProgressCallback, WarmupCallback
from data import FilterbankStream
from engine import Trainer
from system import KeywordSystem


def build_trainer(steps):
    system = KeywordSystem(n_mels=24, n_words=8, width=32, smooth_weight=0.05)
    optimizer = torch.optim.AdamW(system.parameters(), lr=2e-3, weight_decay=1e-3)
    meters = MeterCallback()
    callbacks = [WarmupCallback(optimizer, peak=2e-3, steps=20), meters, ProgressCallback(meters, every=50)]
    return Trainer(system, optimizer, callbacks, max_steps=steps, clip=1.0)


def main(steps=240):
    torch.manual_seed(1307)
    trainer = build_trainer(steps)
    state = trainer.fit(FilterbankStream(batch_size=8, n_mels=24, frames=20, n_words=8, seed=5))
    print(f"finished after {state.step} steps")


if __name__ == "__main__":
    main()
