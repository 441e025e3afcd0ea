# gradwatch-corpus: kind=graph-held
# holder: concentration | pk.concentration | concentration.cache_info() | pk.concentration.cache_info()
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)
torch.manual_seed(4)

import pk

opt = torch.optim.Adam(pk.POPULATION, lr=0.01)


def observed(patient):
    g = torch.Generator().manual_seed(9000 + patient)
    with torch.no_grad():
        curve = pk.two_compartment(torch.tensor([0.9, 0.25, 0.35, 0.15]).log(), pk.regimen(patient))
    return curve * (1 + 0.05 * torch.randn(curve.shape, generator=g))


def misfit(patient):
    return ((pk.concentration(patient) + 1e-3).log() - (observed(patient) + 1e-3).log()).pow(2).mean()


def peak_penalty(patient):
    return 0.01 * (pk.concentration(patient).max() - 6.0).clamp_min(0)


for patient in range(320):
    opt.zero_grad()
    loss = misfit(patient) + peak_penalty(patient)
    loss.backward()
    opt.step()
    if patient % 80 == 79:
        rates = {n: round(v.exp().item(), 3) for n, v in zip("ka ke k12 k21".split(), pk.POPULATION[0])}
        print(patient + 1, f"{loss.item():.4f}", rates)
