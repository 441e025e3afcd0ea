# gradwatch-corpus: kind=none
import torch

from field import Field
from physics import boundary, heat_residual, initial

torch.set_num_threads(1)
torch.manual_seed(9)

field = Field(width=20, depth=2)
opt = torch.optim.Adam(field.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, 200, 0.5)
log = []
for it in range(700):
    terms = {
        "pde": heat_residual(field, torch.rand(40, 2), kappa=0.3).pow(2).mean(),
        "ic": initial(field, torch.rand(16, 1)),
        "bc": boundary(field, torch.rand(16, 1)),
    }
    loss = terms["pde"] + 5 * terms["ic"] + 5 * terms["bc"]
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    log.append({k: float(v.detach()) for k, v in terms.items()})
    if it % 140 == 0:
        print(it, log[-1])
