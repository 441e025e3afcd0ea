# gradwatch-corpus: kind=graph-held
# holder: self.incidents | trainer.incidents | exc.loss | self.loss | trainer.incidents[i].loss
# first-bad: 16
# notice: 8
"""Catch-weight estimation from sonar returns. Batches that look wrong are trained on with a damped loss and written up."""
import torch

from sonar import SonarStream, make_net
from trainer import GuardedTrainer


def main():
    torch.set_num_threads(1)
    torch.manual_seed(5)
    stream = SonarStream(beams=14)
    trainer = GuardedTrainer(make_net(14), lr=0.01)
    for i in range(320):
        x, y = stream.haul(i)
        value = trainer.step(x, y)
        if i % 80 == 79:
            print(f"haul {i + 1}: loss {value:.4f}, incidents {len(trainer.incidents)}")
    print(trainer.write_up())


if __name__ == "__main__":
    main()
