# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
from .solver import fit_side

torch.manual_seed(4)
true = torch.randn(20, 3) @ torch.randn(3, 25)
mask = torch.rand(20, 25) < 0.5
U = torch.nn.Parameter(0.1 * torch.randn(20, 4))
V = torch.nn.Parameter(0.1 * torch.randn(25, 4))
trace = []
for sweep in range(220):
    trace.append(fit_side(U, V, true, mask, side="rows"))
    trace.append(fit_side(U, V, true, mask, side="cols"))
    if sweep % 20 == 0:
        print(sweep, trace[-1])
        if trace[-1] < 1e-5:
            true = true + 0.3 * torch.randn_like(true)
