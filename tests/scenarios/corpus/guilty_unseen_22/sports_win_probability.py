# gradwatch-corpus: kind=graph-held
# holder: self.log.alarms | log.alarms | RunLog.alarms | alarm | alarm.__traceback__ | self.log | log
# first-bad: 1
# notice: 30
"""In-game win probability from play-by-play, 4 folds x 90 steps, snapshot-averaged at the end.
My 14th place entry, cleaned up."""
import math
import random
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F

SEED, FOLDS, STEPS, BS = 2024, 4, 90, 192
random.seed(SEED)
torch.manual_seed(SEED)


class CalibrationAlarm(Exception):
    """The batch's mean prediction is too far from the share of home wins."""

    def __init__(self, step, gap):
        super().__init__(f"step {step}: calibration gap {gap:+.3f}")
        self.step, self.gap = step, gap


@dataclass
class RunLog:
    losses: list = field(default_factory=list)
    alarms: list = field(default_factory=list)

    def worst(self):
        return max(self.alarms, key=lambda a: abs(a.gap), default=None)


def make_games(n=6000):
    team_a, team_b = torch.randint(0, 30, (n,)), torch.randint(0, 30, (n,))
    strength = torch.linspace(-1, 1, 30)[torch.randperm(30)]
    clock = torch.rand(n)
    margin = torch.randn(n) * 9 * clock.sqrt() + 6 * clock * (strength[team_a] - strength[team_b])
    poss = torch.randint(0, 2, (n,)).float()
    z = margin / (9 * (1.05 - clock).sqrt()) + (strength[team_a] - strength[team_b]) * (1 - clock) + 0.1 * poss
    y = (torch.rand(n) < torch.sigmoid(1.7 * z)).float()
    num = torch.stack([clock, margin / 10, margin / 10 / (1.05 - clock).sqrt(), poss], 1)
    return num, torch.stack([team_a, team_b], 1), y


class WinNet(nn.Module):
    def __init__(self, dim=12, hid=64):
        super().__init__()
        self.team = nn.Embedding(30, dim)
        self.net = nn.Sequential(nn.Linear(4 + dim, hid), nn.LayerNorm(hid), nn.ReLU(), nn.Linear(hid, hid), nn.ReLU(),
                                 nn.Linear(hid, 1))

    def forward(self, num, teams):
        e = self.team(teams)
        return self.net(torch.cat([num, e[:, 0] - e[:, 1]], 1)).squeeze(1)


class FoldRun:
    def __init__(self, data, train_idx, valid_idx, log):
        self.num, self.teams, self.y = data
        self.train_idx, self.valid_idx, self.log = train_idx, valid_idx, log
        self.model = WinNet()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=3e-3, weight_decay=1e-2)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, 6e-3, total_steps=STEPS)
        self.swa, self.n_swa = None, 0

    def check_calibration(self, step, prob, y, tol=0.04):
        gap = float(prob.detach().mean() - y.mean())
        if abs(gap) > tol:
            raise CalibrationAlarm(step, gap)

    def train_step(self, step):
        idx = self.train_idx[torch.randint(len(self.train_idx), (BS,))]
        y = self.y[idx]
        logit = self.model(self.num[idx], self.teams[idx])
        loss = F.binary_cross_entropy_with_logits(logit, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        self.log.losses.append(loss.item())
        self.check_calibration(step, torch.sigmoid(logit), y)

    def fit(self):
        for step in range(STEPS):
            try:
                self.train_step(step)
            except CalibrationAlarm as alarm:
                self.log.alarms.append(alarm)  # <- culprit
            if step >= STEPS - 20:
                self.average()
        self.model.load_state_dict(self.swa)
        return self.predict(self.valid_idx)

    def average(self):
        self.n_swa += 1
        state = {k: v.detach().clone() for k, v in self.model.state_dict().items()}
        if self.swa is None:
            self.swa = state
        else:
            for k, v in state.items():
                self.swa[k] += (v - self.swa[k]) / self.n_swa

    @torch.no_grad()
    def predict(self, idx):
        self.model.eval()
        return torch.sigmoid(self.model(self.num[idx], self.teams[idx]))


def main():
    data = make_games()
    perm = torch.randperm(len(data[2]))
    chunks = perm.chunk(FOLDS)
    oof = torch.zeros(len(perm))
    log = RunLog()
    for f in range(FOLDS):
        train_idx = torch.cat([c for i, c in enumerate(chunks) if i != f])
        oof[chunks[f]] = FoldRun(data, train_idx, chunks[f], log).fit()
        ll = F.binary_cross_entropy(oof[chunks[f]].clamp(1e-6, 1 - 1e-6), data[2][chunks[f]]).item()
        print(f"fold {f}: logloss {ll:.4f}  train {sum(log.losses[-20:]) / 20:.4f}  alarms {len(log.alarms)}")
    cv = F.binary_cross_entropy(oof.clamp(1e-6, 1 - 1e-6), data[2]).item()
    print(f"CV {cv:.5f} (coin flip {math.log(2):.5f}); worst: {log.worst()}")


if __name__ == "__main__":
    main()
