# gradwatch-corpus: kind=graph-held
# holder: self.complaints | foreman.complaints
# first-bad: 1
# notice: 8
"""Seam width from arc current and feed speed; predictions outside the spec are written up."""
import torch

from shop import Foreman, SeamNet, seams

torch.set_num_threads(1)
torch.manual_seed(41)

foreman = Foreman(SeamNet(), tolerance=0.05)
foreman.work(seams(90, 16))
foreman.summary()
