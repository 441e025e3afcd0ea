# gradwatch-corpus: kind=graph-held
# holder: service.manager._sessions | self._sessions | manager._sessions | self._sessions[key].turns | session.turns
# first-bad: 1
# notice: 40
import random

import torch
import torch.nn.functional as F

from ranker import PairRanker, Traffic
from sessions import SessionManager


class Service:
    def __init__(self, seed):
        self.traffic = Traffic(random.Random(seed))
        self.model = PairRanker()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.manager = SessionManager(idle=12)
        self.finished = 0

    def tick(self, now):
        key, good, bad = self.traffic.next()
        margin = self.model(good, bad)
        loss = F.softplus(-margin).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.manager.record(key, now, loss)
        for session in self.manager.expire(now):
            self.finished += 1
            if self.finished % 20 == 0:
                print(f"closed {session.key} after {len(session.turns)} turns, loss {session.mean_loss():.4f}")
        return (margin > 0).float().mean().item()


def main():
    torch.manual_seed(89)
    service = Service(seed=89)
    acc = 0.0
    for now in range(600):
        acc += 0.02 * (service.tick(now) - acc)
        if now % 100 == 99:
            print(f"tick {now + 1} acc {acc:.3f} open {len(service.manager)}")


if __name__ == "__main__":
    main()
