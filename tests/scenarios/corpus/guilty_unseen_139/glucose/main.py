# gradwatch-corpus: kind=crashed
# first-bad: 61
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(99)

from modes import quiet
from patient import Patient
from regressor import GlucoseRegressor

patient, reg = Patient(), GlucoseRegressor(lags=8)
skipped = 0
for n in range(500):
    lagged, ahead = patient.sample(16, sensor_dropout=n == 60)
    err = reg.learn(lagged, ahead)
    if n % 20 == 0:
        try:
            with quiet(reg.net):
                print(n, f"train {err:.3f} held-out {reg.score(*patient.sample(64, sensor_dropout=n == 60)):.3f}")
        except ValueError as bad:
            skipped += 1
            print(n, "no score:", bad)
