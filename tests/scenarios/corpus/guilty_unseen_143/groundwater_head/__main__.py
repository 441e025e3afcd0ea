# gradwatch-corpus: kind=second-backward
# holder: problem.feats | self.feats | feats
# first-bad: 1
# notice: 0
"""python -m groundwater_head : hydraulic head from well observations."""
import torch

torch.set_num_threads(1)
torch.manual_seed(15)

from .mesh import Mesh
from .nets import Decoder, NodeEncoder
from .problem import HeadProblem

mesh = Mesh(5, 5)
encoder, decoder = NodeEncoder(), Decoder()
problem = HeadProblem(mesh, encoder)
adam = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-2)

for epoch in range(200):
    adam.zero_grad()
    misfit = problem.misfit(decoder)
    misfit.backward()
    adam.step()
    if epoch % 25 == 0:
        print(epoch, misfit.item())
