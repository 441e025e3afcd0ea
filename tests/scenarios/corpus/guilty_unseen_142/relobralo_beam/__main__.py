# gradwatch-corpus: kind=graph-held
# holder: balancer.history | self.history | solver.balancer.history | self.balancer.history
# first-bad: 1
# notice: 8
import torch
torch.set_num_threads(1)
from .solver import BeamSolver

torch.manual_seed(21)
solver = BeamSolver()
solver.fit(300)
print("deflection at midspan", solver.net(torch.tensor([[0.5]])).item())
