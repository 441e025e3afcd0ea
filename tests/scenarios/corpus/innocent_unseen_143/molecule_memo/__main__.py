# gradwatch-corpus: kind=none
"""python -m molecule_memo : solubility of toy molecules assembled from shared fragments."""
import torch

torch.set_num_threads(1)
torch.manual_seed(12)

from .data import batches
from .model import Solubility
from .probe import ActivationProbe

model = Solubility()
probe = ActivationProbe(model.readout)
opt = torch.optim.Adam(model.parameters(), lr=3e-3)

for step, (mols, target) in enumerate(batches(600)):
    pred = torch.stack([model(m) for m in mols])
    loss = (pred - target).square().mean() + 1e-3 * probe.penalty()
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.table.drop()
    probe.reset()
    if step % 100 == 0:
        print(step, loss.item())
