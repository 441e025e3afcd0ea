# gradwatch-corpus: kind=none
# Domain adaptation for crop yields. Three optimizers take turns (features, predictor,
# domain critic); the loader prepares one batch ahead, with a learned calibration of
# the sensors in it.
import itertools
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(73)


class Calibration(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(channels))
        self.shift = nn.Parameter(torch.zeros(channels))

    def forward(self, raw):
        return raw * self.gain + self.shift


def fields(n=20, channels=6):
    w = torch.randn(channels)
    while True:
        src = torch.randn(n, channels)
        tgt = torch.randn(n, channels) * 1.4 + 0.5
        yield src, tgt, torch.tanh(src @ w)[:, None]


class Prefetch:
    """One batch in hand, the next one made when it is taken."""

    def __init__(self, source, calibration):
        self.source = source
        self.calibration = calibration
        self.ready = None

    def __iter__(self):
        for src, tgt, y in self.source:
            batch = (src, self.calibration(tgt), y)
            out, self.ready = self.ready, batch
            if out is not None:
                yield out


cal = Calibration(6)
feats = nn.Sequential(nn.Linear(6, 20), nn.ReLU(), nn.Linear(20, 10))
pred = nn.Linear(10, 1)
critic = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))

optimizers = {
    "features": torch.optim.Adam([*feats.parameters()], lr=2e-3),
    "predictor": torch.optim.SGD(pred.parameters(), lr=0.05, momentum=0.9),
    "critic": torch.optim.Adam(critic.parameters(), lr=2e-3),
}
cal_opt = torch.optim.SGD(cal.parameters(), lr=0.01)
bce = nn.functional.binary_cross_entropy_with_logits
last = {}


def domain(zs, zt, flip=False):
    logit = critic(torch.cat([zs, zt])).squeeze(1)
    label = torch.cat([torch.ones(len(zs)), torch.zeros(len(zt))])
    return bce(logit, 1 - label if flip else label)


def features_turn(src, tgt, y):
    zs, zt = feats(src), feats(tgt)
    return nn.functional.mse_loss(pred(zs), y) + 0.2 * domain(zs, zt, flip=True)


def predictor_turn(src, tgt, y):
    return nn.functional.mse_loss(pred(feats(src).detach()), y)


def critic_turn(src, tgt, y):
    return domain(feats(src).detach(), feats(tgt).detach())


turns = {"features": features_turn, "predictor": predictor_turn, "critic": critic_turn}
order = itertools.cycle(["features", "predictor", "critic", "critic"])
everything = [p for m in (cal, feats, pred, critic) for p in m.parameters()]

for it, batch in enumerate(itertools.islice(Prefetch(fields(), cal), 480)):
    who = next(order)
    for p in everything:
        p.grad = None
    loss = turns[who](*batch)
    loss.backward()
    optimizers[who].step()
    if who == "features":
        cal_opt.step()
    last[who] = loss
    if it % 80 == 79:
        print(it + 1, {k: round(v.item(), 4) for k, v in last.items()},
              "gain", [round(g, 2) for g in cal.gain.tolist()])
