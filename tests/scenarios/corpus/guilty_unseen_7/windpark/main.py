# gradwatch-corpus: kind=memory-climb
# holder: self.pairs | self.pairs[stage] | keepers["calibration"].pairs | keeper.pairs | keepers['calibration'].pairs['fit']
# first-bad: 1
"""Six-step power forecast for a wind park (30 turbines), endless simulation as training stream."""
import itertools
import math

import torch

from park import PowerNet, scenes
from scoring import Keeper

torch.manual_seed(12)
net = PowerNet()
opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-3)
warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1, (s + 1) / 40) * 0.5 * (1 + math.cos(min(s, 400) / 400 * math.pi)))
keepers = {key: cls() for key, cls in Keeper.registry.items()}
fit_stream, check_stream = scenes(1), scenes(2)


def tell(stage, forecast, actual):
    for keeper in keepers.values():
        keeper.update(stage, forecast, actual)


def check(rounds=4):
    net.eval()
    with torch.no_grad():
        for x, actual in itertools.islice(check_stream, rounds):
            tell("check", net(x), actual)
    net.train()
    for keeper in keepers.values():
        keeper.epoch_over("check")


for it, (x, actual) in enumerate(itertools.islice(fit_stream, 340)):
    forecast = net(x)
    loss = (forecast - actual).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    warm.step()
    tell("fit", forecast.detach(), actual)
    if it % 85 == 84:
        print(f"it {it + 1} mae {loss.item():.4f} lr {warm.get_last_lr()[0]:.2e}")
        check()
