# gradwatch-corpus: kind=memory-climb
# holder: self.maps | atlas.maps | model.atlas.maps
# first-bad: 1
# notice: 60
"""Protein-like strings, one attention layer; an atlas of attention maps goes with the model card."""
import torch

torch.set_num_threads(1)
import torch.nn.functional as F

from atlas import Atlas
from model import ContactModel

torch.manual_seed(83)
L, B, AA = 48, 8, 12


def sequences():
    s = torch.randint(0, AA, (B, L))
    far = torch.roll(s, 5, dims=1)
    return s, (s == far).long()


atlas = Atlas()
model = ContactModel(AA, 16, L, heads=2)
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
for it in range(450):
    s, y = sequences()
    logits, att = model(s)
    loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    atlas.visit(it, att)
    if it % 90 == 0:
        print(it, f"{loss.item():.4f}", f"entropy {atlas.entropy():.3f}")
