# gradwatch-corpus: kind=graph-held
# holder: self.incidents | trainer.incidents | incidents
# first-bad: 2
# notice: 8
"""POS-style tagger with an auxiliary "boundary" loss that may be undefined for a batch."""
import torch

from trainer import TaggerTrainer

SEED = 29
N_ITER = 300


def main():
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    trainer = TaggerTrainer(vocab=60, tags=6, dim=16, lr=5e-3)
    for it in range(N_ITER):
        loss = trainer.fit_batch(it)
        if it % 50 == 0:
            print(f"[{it:3d}] loss={loss:.3f} skipped-aux={len(trainer.incidents)}")
    print("incident summary")
    for line in trainer.incident_report(limit=4):
        print("  ", line)


if __name__ == "__main__":
    main()
