# gradwatch-corpus: kind=none
"""Sparse autoencoder of calcium traces; the activation penalty is gathered by hooks."""
import torch
import torch.nn as nn

torch.set_num_threads(1)


class ActivationBag:
    def __init__(self, model, kinds=(nn.ReLU,)):
        self.items = []
        self.handles = [m.register_forward_hook(self._catch) for m in model.modules() if isinstance(m, kinds)]

    def _catch(self, module, args, out):
        self.items.append(out)

    def pop_penalty(self, rho=0.05):
        pen = sum((o.mean(0) - rho).abs().sum() for o in self.items)
        self.items = []
        return pen

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        for h in self.handles:
            h.remove()


torch.manual_seed(4)
ae = nn.Sequential(nn.Linear(18, 30), nn.ReLU(), nn.Linear(30, 10), nn.ReLU(), nn.Linear(10, 18))
opt = torch.optim.Adam(ae.parameters(), lr=2e-3)
atoms = torch.rand(5, 18)
with ActivationBag(ae) as bag:
    for it in range(650):
        x = (torch.rand(16, 5) > 0.7).float() @ atoms
        recon = nn.functional.mse_loss(ae(x), x)
        loss = recon + 2e-3 * bag.pop_penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 130 == 0:
            print(it, f"{recon.item():.4f}")
