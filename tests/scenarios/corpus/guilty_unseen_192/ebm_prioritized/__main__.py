# gradwatch-corpus: kind=graph-held
# holder: self.energies | buffer.energies | self._buffer.energies
# first-bad: 1
from .trainer import EBMTrainer, Settings

if __name__ == "__main__":
    EBMTrainer(Settings()).fit()
