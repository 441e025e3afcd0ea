# gradwatch-corpus: kind=memory-climb
# holder: self._rows | self.audit._rows | session.audit._rows | audit._rows
# first-bad: 1
# notice: 100
"""Trains the click model of a news feed; impressions come from a simulated log."""
import torch

from ranker.loop import Session
from ranker.model import TwoSide
from ranker.stream import ImpressionStream


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    stream = ImpressionStream(n_users=400, n_items=900, seed=31)
    model = TwoSide(400, 900, dim=12)
    session = Session(model, lr=0.01)

    for i, batch in enumerate(stream.take(190, size=1024)):
        loss = session.train_on(batch)
        if i % 38 == 37:
            print(f"[{i + 1:4d}] logloss={loss:.4f} calibration={session.calibration():.3f}")


if __name__ == "__main__":
    main()
