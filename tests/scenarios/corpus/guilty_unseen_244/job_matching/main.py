# gradwatch-corpus: kind=second-backward
# holder: self._vacancy_vectors | catalog._vacancy_vectors | self.catalog._vacancy_vectors | session.catalog._vacancy_vectors
# first-bad: 1
"""Two-tower matching of candidates and vacancies with a refreshed vacancy catalog."""
import torch

from data import ApplicationFeed
from settings import MatchSettings
from session import MatchSession


def main() -> None:
    settings = MatchSettings()
    torch.manual_seed(settings.seed)
    feed = ApplicationFeed(settings)
    session = MatchSession(settings, feed.vacancies)
    for step, (candidates, applied) in enumerate(feed.batches()):
        loss, recall = session.fit(step, candidates, applied)
        if step % 10 == 0:
            print(f"step {step} loss {loss:.4f} recall@5 {recall:.3f} best {session.best_recall:.3f}")


if __name__ == "__main__":
    main()
