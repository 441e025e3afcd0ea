# gradwatch-corpus: kind=graph-held
# holder: self.pending | server.pending | self.pending[rid].score | imp.score
# first-bad: 1
# notice: 8
"""Click model trained online with delayed feedback.

Impressions are served with a predicted click rate. Clicks arrive some steps later;
impressions that nobody clicks stay open. The model is trained on the immediate
"viewed" signal, calibration is measured once the clicks are known.
"""
import random
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)
random.seed(31)

FEATURES = 14


@dataclass
class Impression:
    rid: int
    score: torch.Tensor
    served_at: int


class ClickModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(FEATURES, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
        self.view = nn.Linear(16, 1)
        self.click = nn.Linear(16, 1)

    def forward(self, x):
        h = self.body(x)
        return self.view(h).squeeze(-1), self.click(h).squeeze(-1)


class Server:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=2e-3)
        self.pending = {}
        self.calibration = []
        self._next = 0

    def serve(self, x, now):
        view, click = self.model(x)
        rids = []
        for p in click.sigmoid().unbind():
            rid, self._next = self._next, self._next + 1
            self.pending[rid] = Impression(rid, p, now)  # <- culprit
            rids.append(rid)
        return rids, view, click

    def learn(self, view, click, seen, proxy):
        loss = nn.functional.binary_cross_entropy_with_logits(view, seen)
        loss = loss + 0.3 * nn.functional.binary_cross_entropy_with_logits(click, proxy)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def clicked(self, rid, now):
        imp = self.pending.pop(rid, None)
        if imp is not None:
            self.calibration.append((imp.score.item(), now - imp.served_at))


def main():
    truth = torch.randn(FEATURES)
    server = Server(ClickModel())
    inbox = {}
    for now in range(300):
        x = torch.randn(12, FEATURES)
        rids, view, click = server.serve(x, now)
        prob = torch.sigmoid(x @ truth - 2.0)
        seen = torch.bernoulli(torch.sigmoid(x[:, 0] + 1.0))
        loss = server.learn(view, click, seen, seen * prob)
        for rid, hit in zip(rids, torch.bernoulli(prob).tolist()):
            if hit:
                inbox.setdefault(now + random.randint(1, 15), []).append(rid)
        for rid in inbox.pop(now, []):
            server.clicked(rid, now)
        if now % 60 == 59:
            rate = sum(s for s, _ in server.calibration) / max(1, len(server.calibration))
            print(f"t={now + 1}  loss {loss:.3f}  clicks {len(server.calibration)}  "
                  f"mean score of clicked {rate:.3f}")


if __name__ == "__main__":
    main()
