# gradwatch-corpus: kind=graph-chain
# holder: anchor | anchor[name] | anchor["w"] | anchor["b"]
# first-bad: 1
# notice: 5
# Softmax regression for emergency-room triage codes, trained on shifts that drift from
# month to month. A proximal term keeps the weights close to their own running average
# so that a single odd shift does not swing the scores.
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(21)

N_VITALS, N_CODES = 9, 4
SHIFTS, PATIENTS = 240, 32
RHO, MU = 0.97, 0.5

gen = torch.Generator().manual_seed(5)
true_w = torch.randn(N_VITALS, N_CODES, generator=gen)


def shift_of_patients(i):
    """One shift: the case mix drifts slowly with the season."""
    season = torch.zeros(N_VITALS)
    season[i // 40 % N_VITALS] = 0.8
    x = torch.randn(PATIENTS, N_VITALS, generator=gen) + season
    y = (x @ true_w + torch.randn(PATIENTS, N_CODES, generator=gen)).argmax(1)
    return x, y


def proximal(params, anchor):
    gap = 0.0
    for name, p in params.items():
        gap = gap + (p - anchor[name]).pow(2).sum()
    return 0.5 * MU * gap


def refresh(params, anchor, rho):
    return {name: torch.lerp(anchor[name], p, 1 - rho) for name, p in params.items()}  # <- culprit


params = {
    "w": torch.zeros(N_VITALS, N_CODES, requires_grad=True),
    "b": torch.zeros(N_CODES, requires_grad=True),
}
anchor = {name: p.detach().clone() for name, p in params.items()}
opt = torch.optim.SGD(params.values(), lr=0.15, momentum=0.5)

hits, seen = 0, 0
for i in range(SHIFTS):
    x, y = shift_of_patients(i)
    logits = x @ params["w"] + params["b"]
    with torch.no_grad():
        hits += (logits.argmax(1) == y).sum().item()
        seen += len(y)

    nll = F.cross_entropy(logits, y)
    loss = nll + proximal(params, anchor)
    opt.zero_grad()
    loss.backward()
    opt.step()
    anchor = refresh(params, anchor, RHO)  # <- culprit

    if (i + 1) % 60 == 0:
        spread = (params["w"] - anchor["w"]).detach().norm().item()
        print(f"shift {i + 1:3d}: prequential acc {hits / seen:.3f}, nll {nll.item():.3f}, spread {spread:.3f}")
        hits = seen = 0
