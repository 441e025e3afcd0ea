# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | site.anchor | trainer.anchor | trainer.anchor[name]
# first-bad: 1
# notice: 5
"""Readmission risk over three clinics, with a proximal pull to the slow-moving weights."""
import torch

torch.set_num_threads(1)

from trainer import ProximalTrainer, RiskNet, clinic_batches


def main():
    torch.manual_seed(44)
    trainer = ProximalTrainer(RiskNet(), strength=0.05, momentum=0.95)
    for k, (x, y) in enumerate(clinic_batches(260)):
        loss, drift = trainer.train_step(x, y)
        if k % 50 == 0:
            print(f"{k:4d} loss {loss:.4f}  drift {drift:.5f}")


main()
