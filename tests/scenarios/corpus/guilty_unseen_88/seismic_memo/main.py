# gradwatch-corpus: kind=second-backward
# holder: store[key] | forward_model.store[key] | forward_model.store | store | G | synth
# first-bad: 24
# notice: 0
"""Travel-time tomography on a 1-D layered earth.

Unknown: a reference velocity profile (few knots, interpolated). Each shot gather has its own
geometry, whose ray lengths are slow to compute, so `forward_model` is memoised by shot number.
"""
import torch

from earth import Profile, survey
from rays import forward_model

torch.set_num_threads(1)
torch.manual_seed(1906)

N_SHOTS = 24
profile = Profile(n_knots=7, n_layers=30)
statics = torch.nn.Embedding(N_SHOTS, 1)              # receiver delay of each shot
torch.nn.init.zeros_(statics.weight)

opt = torch.optim.SGD(
    [{"params": profile.parameters(), "lr": 0.05}, {"params": statics.parameters(), "lr": 0.2}],
    momentum=0.5,
)
gathers = survey(N_SHOTS)


def misfit(shot):
    offsets, picks = gathers[shot]
    synth = forward_model(shot, profile, offsets)
    delay = statics(torch.tensor([shot]))[0]
    r = synth + delay - picks
    return (r.abs() - 0.5 * torch.log1p(2 * r.abs())).mean()


def sweep(tag):
    total = 0.0
    for shot in range(N_SHOTS):
        e = misfit(shot) + 1e-3 * profile.roughness()
        opt.zero_grad()
        e.backward()  # <- culprit
        opt.step()
        total += e.item()
    print(f"sweep {tag}: mean misfit {total / N_SHOTS:.5f}")


for k in range(12):
    sweep(k)
print(profile.velocity().detach())
